const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const RANDOM_BYTES = 10;

/**
 * A ULID: ten characters of time, sixteen of chance. Ids of different milliseconds sort by time; within
 * one millisecond chance decides, which is enough for ids that nothing is ordered by.
 */
export function ulid(timeMs: number, random: Uint8Array): string {
  if (random.length < RANDOM_BYTES) throw new RangeError(`a ULID takes ${RANDOM_BYTES} random bytes`);
  let time = "";
  for (let rest = Math.max(0, Math.floor(timeMs)), left = 10; left > 0; left -= 1) {
    time = ALPHABET[rest % 32] + time;
    rest = Math.floor(rest / 32);
  }
  let chance = "";
  let bits = 0;
  let held = 0;
  for (const byte of random.subarray(0, RANDOM_BYTES)) {
    held = (held << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      chance += ALPHABET[(held >> bits) & 31];
    }
    held &= (1 << bits) - 1;
  }
  return time + chance;
}

/** When an id was made, in ms; NaN for what is no ULID. */
export function ulidTime(id: string): number {
  if (!/^[0-9A-HJKMNP-TV-Z]{26}$/.test(id)) return Number.NaN;
  return [...id.slice(0, 10)].reduce((time, letter) => time * 32 + ALPHABET.indexOf(letter), 0);
}
