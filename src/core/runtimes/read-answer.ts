/**
 * The object that an agent's last words are, with or without a fence of backticks around it; null when they
 * are anything else. Whether it has the shape that was asked for is for whoever asked.
 */
export function readAnswer(text: string): unknown {
  const [, fenced] = /^```(?:json)?\s*\n([\s\S]*?)\n?```$/.exec(text.trim()) ?? [];
  const body = fenced ?? text.trim();
  if (!body.startsWith("{")) return null;
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}
