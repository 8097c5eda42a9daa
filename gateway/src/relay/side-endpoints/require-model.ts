import { DialectError } from '@tollgate/dialects'

/** Returns the model that an Ollama client names; older ones say `name`. @throws DialectError */
export function requireModel(body: Readonly<Record<string, unknown>>): string {
  const named = body['model'] ?? body['name']
  if (typeof named === 'string' && named !== '') return named
  throw new DialectError('model', 'missing_required_parameter', "Missing required parameter: 'model'.")
}
