/*
 * Git tells a client what became of each ref of a push in a report of its own, inside the packets of the answer. A hook
 * cannot put its reason there, GitHub can.
 */

const REPORT = 1;

/** The same answer, with a reason beside each ref that has one in place of git's own words. */
export function giveReasons(body: Buffer, reasons: ReadonlyMap<string, string>): Buffer {
  const outer = readPackets(body);
  const isReport = (packet: Buffer) => packet[0] === REPORT;
  const report = Buffer.concat(outer.filter(isReport).map((packet) => packet.subarray(1)));
  const lines = readPackets(report).map((packet) => {
    const [, ref = ""] = /^ng (\S+) /.exec(packet.toString()) ?? [];
    const reason = reasons.get(ref);
    return reason === undefined ? packet : Buffer.from(`ng ${ref} ${reason}\n`);
  });
  const told = outer.filter((packet) => !isReport(packet));
  const rewritten = Buffer.concat([Buffer.from([REPORT]), writePackets(lines)]);
  return writePackets([...told, rewritten]);
}

/** Contents of packets up to the flush that ends them. */
function readPackets(bytes: Buffer): Buffer[] {
  const packets: Buffer[] = [];
  for (let at = 0; at + 4 <= bytes.length; ) {
    const length = Number.parseInt(bytes.subarray(at, at + 4).toString(), 16);
    if (length > 4) packets.push(bytes.subarray(at + 4, at + length));
    at += Math.max(length, 4);
  }
  return packets;
}

function writePackets(packets: readonly Buffer[]): Buffer {
  const length = (packet: Buffer) => Buffer.from((packet.length + 4).toString(16).padStart(4, "0"));
  return Buffer.concat([...packets.flatMap((packet) => [length(packet), packet]), Buffer.from("0000")]);
}
