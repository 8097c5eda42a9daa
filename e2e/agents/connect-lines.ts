import type { ClientStep } from '../../console/src/features/connect/clients/client'
import { clientOf, type ClientId } from '../../console/src/features/connect/clients/clients'
import type { AgentPlace } from './agent'

/** What the console's page for connecting has people set for a client. */
interface ConnectLines {
  readonly env: Readonly<Record<string, string>>
  /** By path below the home folder. */
  readonly files: ReadonlyMap<string, string>
}

export function connectLines(
  id: ClientId,
  { url, key, model }: Pick<AgentPlace, 'url' | 'key' | 'model'>,
): ConnectLines {
  const steps = clientOf(id).steps({ address: url, apiKey: key, model })
  return {
    env: Object.assign({}, ...steps.map(variablesOf)),
    files: new Map(steps.flatMap((step) => (step.kind === 'file' ? [[step.path.replace('~/', ''), step.text]] : []))),
  }
}

const variablesOf = (step: ClientStep) => (step.kind === 'terminal' ? step.variables : {})

/** @throws Error when the page has no such file. */
export function fileOf({ files }: ConnectLines, path: string): string {
  const text = files.get(path)
  if (text === undefined) throw new Error(`The page for connecting has no file ${path}`)
  return text
}
