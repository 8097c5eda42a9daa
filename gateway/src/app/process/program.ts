/** Returns how to start this program again: the executable alone when it is compiled, otherwise the runtime and the entry file. */
export function programCommand(): string[] {
  const isCompiled = Bun.main.startsWith('/$bunfs/') || Bun.main.includes('~BUN')
  return isCompiled ? [process.execPath] : [process.execPath, Bun.main]
}
