import { expect, test } from 'bun:test'

import { defaultSettings, type Parameters } from './settings'
import { exampleSchema, exampleTools, readSchema, readTools, structureFault, structureOf } from './structured'

const { parameters } = defaultSettings
const on = (value: unknown) => ({ isOn: true, value: typeof value === 'string' ? value : JSON.stringify(value) })
const set = (change: Partial<Parameters>) => ({ ...parameters, ...change })

test('a plain JSON schema is sent as a strict named one, and a named one is sent as it is', () => {
  expect(structureOf(set({ schema: on(exampleSchema) }))).toEqual({
    response_format: { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema: exampleSchema } },
  })
  const named = { name: 'weather', schema: exampleSchema, strict: false }
  expect(structureOf(set({ schema: on(named), json: { isOn: true } }))).toEqual({
    response_format: { type: 'json_schema', json_schema: named },
  })
})

test('tools are sent as functions, even if only the function was typed', () => {
  const [tool] = exampleTools
  expect(structureOf(set({ tools: on(exampleTools) }))).toEqual({ tools: exampleTools } as never)
  expect(structureOf(set({ tools: on([tool?.function]) }))).toEqual({ tools: exampleTools } as never)
  expect(structureOf(set({ tools: on(tool) }))).toEqual({ tools: exampleTools } as never)
})

test.each(['{', ''])('%p is not JSON', (text) => {
  expect(readTools(text)).toMatchObject({ fault: { kind: 'syntax' } })
  expect(readSchema(text)).toMatchObject({ fault: { kind: 'syntax' } })
})

test.each(['[]', '"x"', '[{"name":"with space"}]', '[{"type":"function"}]'])('%p is not a list of tools', (text) => {
  expect(readTools(text)).toEqual({ fault: { kind: 'shape' } })
})

test('disabled structures are neither sent nor validated', () => {
  const off = set({ tools: { isOn: false, value: '{' }, schema: { isOn: false, value: '{' } })
  expect(structureOf(off)).toEqual({})
  expect(structureFault(off)).toBeUndefined()
  expect(structureFault(set({ tools: on('{') }))).toMatchObject({ kind: 'syntax' })
})
