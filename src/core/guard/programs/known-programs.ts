const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter((word) => word !== ""));

/** They do what their words say and no more: what they touch is judged by its path. */
export const PLAIN_PROGRAMS = words(`
  [ [[ ar arch b2sum base32 base64 basename bc bg break bzip2 cal cat cd chattr chgrp chmod chown cksum clear cmp colordiff column
  comm continue cp csplit cut date dd df diff diff3 dirname dirs dos2unix du echo egrep exit expand expr factor false fc fg fgrep file
  fmt fold free getconf getent getopt getopts groups gunzip gzip hash hd head help hexdump history host hostname iconv id install
  jobs join jq kill less let link ln local locale locate logname look ls lsof lz4 md5sum mkdir mkfifo mktemp more mv
  nl nproc numfmt od paste patch pathchk pgrep popd pr printf ps ptx pushd pwd read readlink realpath return rev rm rmdir seq
  sha1sum sha224sum sha256sum sha384sum sha512sum shasum shift shopt shuf size sleep sort split sponge stat strings strip stty sum sync
  tac tail tar tee test times top touch tput tr tree true truncate tsort tty type ulimit umask uname unexpand uniq unix2dos unlink unxz
  unzip uptime users vdir wait wc whereis which who whoami xxd xz yes yq zcat zip zgrep zstd :
  grep rg ag ack fd bat exa eza sed cloc tokei hyperfine dpkg rpm
`);

/** They build, test or look over the project, with what the project says: its own code, which the sandbox holds. */
export const PROJECT_TOOLS = words(`
  ant autoconf automake babel bazel biome black bundle cargo cc clang clang-format clang-tidy clang++ cmake composer cppcheck ctest cypress
  c++ docker-compose dotnet elixir esbuild eslint flake8 g++ gcc gmake go gofmt golangci-lint gradle gradlew hatch isort jest just ktlint
  ld make mix mkdocs mocha mvn mvnw mypy meson ninja nm npm npx nx objdump pdm phpunit pip pip3 pipenv playwright pnpm poetry pre-commit
  prettier protoc pylint pyright pytest rake rollup rspec rubocop ruff rustc rustfmt sbt shellcheck shfmt sphinx-build stack stylelint
  stylua swc swift tox tsc turbo uv vite vitest webpack yarn zig bun deno vue-tsc knip oxlint markdownlint yamllint hadolint
  actionlint terraform tflint buf sqlc
`);

/** They run text in a language that is not read here. */
export const INTERPRETERS = words(`
  node nodejs ts-node tsx python python2 python3 pypy pypy3 ruby irb perl php lua luajit tclsh wish expect Rscript R julia groovy scala java jshell
  osascript pwsh powershell fish csh tcsh guile racket sbcl erl iex ghci ocaml gdb lldb vim vi nvim ex ed emacs nano m4
`);

/** Modules of Python that are project tools as well. */
export const PYTHON_MODULES = words(`
  black build compileall coverage flake8 isort json.tool mypy nox pip pylint pyright pytest ruff tox unittest venv
`);

/** Their words are text, not names of files. */
export const SPEAKERS = words(
  "echo printf : true false expr test [ [[ exit return alias kill sleep seq date",
);

/** The first operand is a pattern or a script; the others are files. */
export const SEARCHERS = words("grep egrep fgrep rg ag ack sed awk gawk mawk nawk jq yq zgrep");

/** They look at a folder itself and not at all that is in it. */
export const SHALLOW = words(
  "cd pushd stat test [ [[ realpath readlink dirname basename file which type df touch mkdir chmod chown echo printf pwd mktemp",
);

/** They talk to whatever host they are told. */
export const TALKERS = words(
  "ssh scp sftp rsync nc ncat netcat socat telnet ftp lftp openssl nmap dig nslookup docker podman kubectl aws gcloud az http https",
);
