/** The first signal to stop is heard; a second one ends the process at once. */
export function nextSignal(onFirst: () => void): { readonly arrived: Promise<void>; forget(): void } {
  let arrive = () => {};
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  let asked = false;
  const onSignal = () => {
    if (asked) process.exit(130);
    asked = true;
    onFirst();
    arrive();
  };
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
  const forget = () => {
    process.off("SIGINT", onSignal);
    process.off("SIGTERM", onSignal);
  };
  return { arrived, forget };
}
