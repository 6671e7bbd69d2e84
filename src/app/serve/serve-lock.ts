import type { KoryphHome } from "../../adapters/home/koryph-home.js";
import { takeLocalLock } from "../../adapters/home/local-lock.js";
import { serveAdvice } from "../../core/replies/app/serve.js";
import { UserError } from "../../lib/user-error.js";

/** One server per home: two would each take the other's jobs for those of a server that died. Returns the way to give it back. */
export async function takeServerLock(home: KoryphHome): Promise<() => Promise<void>> {
  const attempt = await takeLocalLock(home.serverLock);
  if (attempt.kind === "held") throw UserError.of(serveAdvice.running(home.path, attempt.by));
  return () => attempt.lock.release();
}
