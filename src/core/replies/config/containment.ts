import type { Advice } from "../../../lib/user-error.js";

const INSTALL =
  "install bubblewrap (Debian and Ubuntu: `apt-get install bubblewrap`; Fedora: `dnf install bubblewrap`), then `koryph doctor`";

/** Why nothing shuts processes in on a machine. */
export const containmentTrouble = {
  notLinux: (platform: string) => `containment needs Linux, and this is ${platform}`,
  noBubblewrap: () => "bubblewrap (`bwrap`) is not on the PATH",
  noSetpriv: () => "as root koryph also needs `setpriv` (util-linux), and it is not on the PATH",
  /** bubblewrap is there and could not run a program; with what it said. */
  unusable: (said: string) => `bubblewrap cannot shut anything in here: ${said || "it said nothing"}`,
};

/** Nothing shuts agents in here, and the project file or the surface wants that. */
export const containmentAdvice = {
  /** No agent is started. */
  required: (why: string): Advice => ({
    message: `containment is required, and ${why}, so koryph starts no agent (containment_missing)`,
    hint: `${INSTALL}; or let agents work on a machine that holds nothing of value, and set containment to preferred or off`,
  }),
  /** Agents are started as they are, and nothing lands by itself. */
  manual: (why: string): Advice => ({
    message: `nothing contains agents here, since ${why}: they run as your user does, and what they make waits for a person (containment_missing)`,
    hint: `${INSTALL}; with containment off or preferred in koryph.project.json it lands by itself again`,
  }),
  /** As root, agents become nobody, who cannot read what belongs to root. */
  sharedAsRoot: (folder: string): Advice => ({
    message: `an agent that is shut in by root cannot use the profile ${JSON.stringify(folder)}`,
    hint: "run koryph as a user of its own, or pin a key instead: `koryph project account` with --key",
  }),
  /** Agents are started as they are. */
  preferred: (why: string): Advice => ({
    message: `nothing contains agents here, since ${why}: they run as your user does, with its files and its network (containment_missing)`,
    hint: `${INSTALL}; with containment off this warning ends`,
  }),
};
