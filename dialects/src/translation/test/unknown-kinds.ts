import type { JsonObject } from '../../core/json'

/** How kinds of tomorrow may be called: what a reader goes by are beginnings and endings. */
const types = ['zz', 'zz_call', 'zz_call_output', 'zz_tool_use', 'zz_tool_result', 'reasoning.zz', 'output_zz']

const payloads: readonly JsonObject[] = [
  { value: 'x' },
  { id: 'z', name: 'x', input: { a: 1 } },
  { id: 'z', call_id: 'z', status: 'completed', output: [{ type: 'zz', value: 1 }] },
]

/** Tools, items, parts and blocks that no reader knows, of all names and forms that a reader could take for another one. */
export const unknownKinds: readonly JsonObject[] = types.flatMap((type) =>
  payloads.map((payload) => ({ ...payload, type })),
)

/** Members that no reader knows. */
export const unknownMembers: readonly JsonObject[] = ['x', { a: 1 }, [{ type: 'zz' }], 7, true].map((zzMember) => ({
  zzMember,
}))
