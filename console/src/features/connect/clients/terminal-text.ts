import type { ClientStep } from './client'

/** Command lines that people have. */
export const shells = ['bash', 'powershell'] as const
export type Shell = (typeof shells)[number]

type TerminalStep = Extract<ClientStep, { kind: 'terminal' }>

/** Returns the lines of a step as they are typed: variables first, then the program. */
export function terminalText({ variables, command }: Omit<TerminalStep, 'kind'>, shell: Shell): string {
  const quote = quotes[shell]
  const assignments = Object.entries(variables).map(([name, value]) =>
    shell === 'bash' ? `export ${name}=${quote(value)}` : `$env:${name} = ${quote(value, true)}`,
  )
  return [...assignments, ...(command ? [command.map((word) => quote(word)).join(' ')] : [])].join('\n')
}

/** Returns a path below the home folder as the shell’s system writes it. */
export const pathIn = (path: string, shell: Shell): string =>
  shell === 'powershell' && path.startsWith('~/') ? path.replace('~', '%USERPROFILE%').replaceAll('/', '\\') : path

const isPlain = (text: string) => /^[\w%+=:,./-]+$/.test(text)

const quotes: Readonly<Record<Shell, (text: string, always?: boolean) => string>> = {
  bash: (text) => (isPlain(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`),
  powershell: (text, always = false) => (!always && isPlain(text) ? text : `'${text.replaceAll("'", "''")}'`),
}
