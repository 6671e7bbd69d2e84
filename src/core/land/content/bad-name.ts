/** Control characters, and those that turn the order of what follows around. */
const HIDDEN = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
const IGNORED = /\p{Default_Ignorable_Code_Point}|\p{Cf}/gu;
/** Names of devices on Windows, with whatever ending. */
const DEVICE = /^(aux|con|nul|prn|com[1-9¹²³]|lpt[1-9¹²³]|conin\$|conout\$)(\.|$)/i;
/** Windows has a short name for each folder: that of `.git` is this one. */
const GIT = /^(\.git|git~\d+)$/i;

/** Why a name is one that not every machine can have, or that is not what it looks like; null for an ordinary one. */
export function badName(path: string): string | null {
  if (HIDDEN.test(path)) return "a control character";
  for (const name of path.split("/")) {
    if (DEVICE.test(name)) return "a device on Windows";
    if (/[<>:"|?*\\]/.test(name)) return "a character that Windows has no names with";
    const seen = name
      .normalize("NFKC")
      .replace(IGNORED, "")
      .replace(/[. ]+$/, "");
    if (GIT.test(seen)) return "looks like .git";
    if (/[. ]$/.test(name)) return "ends with a dot or a blank";
  }
  return null;
}

/** Text that is shown in another order than it is read: the marks that source code has no use for. */
export const REORDERING = /[\u202a-\u202e\u2066-\u2069]/;

/** The form in which two names are the same to a machine that does not tell letter case apart. */
export function foldedName(name: string): string {
  return name.normalize("NFC").toUpperCase().toLowerCase();
}
