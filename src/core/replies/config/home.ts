import { plainText } from "../../../lib/plain-text.js";
import type { Advice } from "../../../lib/user-error.js";

/** The process that has a lock, as the lock names it. */
interface Holder {
  readonly pid: number;
  readonly host: string;
  readonly since: string;
}

export const homeAdvice = {
  notAbsolute: (value: string): Advice => ({
    message: `KORYPH_HOME is ${plainText(value)}, and it must be an absolute path`,
    hint: "set it to a folder outside any checkout, such as /home/you/.koryph, or leave it unset",
  }),
  unwritable: (path: string, problem: string): Advice => ({
    message: `koryph cannot keep its state in ${path}: ${plainText(problem)}`,
    hint: "mend its permissions, or point KORYPH_HOME at a folder that you can write",
  }),
  full: (path: string): Advice => ({
    message: `koryph cannot keep its state in ${path}: the disk is full`,
    hint: "make room, or point KORYPH_HOME at another disk",
  }),
};

export const lockAdvice = {
  held: (what: string, path: string, { pid, host, since }: Holder): Advice => ({
    message: `${what} is in use by process ${pid} on ${plainText(host)} since ${plainText(since)}`,
    hint: `wait until it ends; if you are sure that it is gone, remove ${path}`,
  }),
};

export const registryAdvice = {
  elsewhere: (id: string, there: string, here: string): Advice => ({
    message: `project ${id} is registered at ${plainText(there)}, so ${plainText(here)} cannot have the same id`,
    hint: `give one of them another project_id, or run \`koryph project remove ${id}\` first; its state is kept`,
  }),
  unreadable: (path: string, problem: string): Advice => ({
    message: `${path} cannot be read: ${plainText(problem)}`,
    hint: "mend or remove the file; `git log -p` in its folder shows how it was before",
  }),
  absent: (id: string): Advice => ({
    message: `no project ${plainText(id)} is registered`,
    hint: "`koryph project list` shows the registered ones",
  }),
  gitFailed: (folder: string, problem: string): Advice => ({
    message: `koryph changed the registry in ${folder}, but could not commit the change there: ${plainText(problem)}`,
    hint: "run `git status` there; the next change records this one too",
  }),
};
