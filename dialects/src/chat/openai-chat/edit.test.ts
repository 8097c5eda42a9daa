import { describe, expect, test } from 'bun:test'

import * as fc from 'fast-check'

import type { JsonObject } from '../../core/json'
import {
  withModel,
  withoutStreamOptions,
  withParamDefaults,
  withParamOverride,
  withStreamUsage,
  withSystemPrompt,
} from './edit'

const user = { role: 'user', content: 'hi' }

describe('changes of a body', () => {
  test('an edit sets the model', () => {
    expect(withModel({ model: 'a', x: 1 }, 'b')).toEqual({ model: 'b', x: 1 })
  })

  test('ask for usage and keep the other stream options', () => {
    expect(withStreamUsage({ stream: true })).toEqual({ stream: true, stream_options: { include_usage: true } })
    expect(withStreamUsage({ stream_options: { include_usage: false, other: 1 } })).toEqual({
      stream_options: { include_usage: true, other: 1 },
    })
    expect(withoutStreamOptions({ a: 1, stream_options: null })).toEqual({ a: 1 })
  })

  test('put a system prompt where there is none', () => {
    expect(withSystemPrompt({ messages: [user] }, 'be kind')).toEqual({
      messages: [{ role: 'system', content: 'be kind' }, user],
    })
    const own = { messages: [{ role: 'developer', content: 'own' }, user] }
    expect(withSystemPrompt(own, 'be kind')).toBe(own)
  })

  test('put it before the own one when asked to', () => {
    const addPrompt = (content: unknown) => withSystemPrompt({ messages: [{ role: 'system', content }] }, 'p', true)
    expect(addPrompt('own')).toEqual({ messages: [{ role: 'system', content: 'p\nown' }] })
    expect(addPrompt(null)).toEqual({ messages: [{ role: 'system', content: 'p' }] })
    expect(addPrompt([{ type: 'text', text: 'own' }])).toEqual({
      messages: [
        {
          role: 'system',
          content: [
            { type: 'text', text: 'p' },
            { type: 'text', text: 'own' },
          ],
        },
      ],
    })
  })

  test('override members, but neither who answers nor how', () => {
    const override = { temperature: 0, model: 'dear', stream: false, 'model.x': 1 }
    expect(withParamOverride({ model: 'a', stream: true, temperature: 1 }, override)).toEqual({
      model: 'a',
      stream: true,
      temperature: 0,
    })
  })

  test('null removes a member', () => {
    const body = { model: 'a', top_p: 1, reasoning: { effort: 'high', summary: 'auto' } }
    expect(withParamOverride(body, { top_p: null, seed: null, 'reasoning.summary': null })).toEqual({
      model: 'a',
      reasoning: { effort: 'high' },
    })
    expect(withParamOverride(body, { model: null, 'top_p.x': null, 'seed.x': null, 'reasoning.x': null })).toBe(body)
  })

  test('a dotted name sets a member of an object, which is made where there is none', () => {
    const body = { model: 'a', reasoning: { effort: 'high' }, metadata: 'text' }
    expect(withParamOverride(body, { 'reasoning.effort': 'low', 'a.b.c': [1], 'metadata.x': 1 })).toEqual({
      model: 'a',
      reasoning: { effort: 'low' },
      a: { b: { c: [1] } },
      metadata: { x: 1 },
    })
    expect(body.reasoning.effort).toBe('high')
    expect(withParamOverride({}, { '__proto__.x': 1, 'constructor.y': 1 })).not.toHaveProperty('x')
  })

  test('an object with a null changes only what it names, at any depth, and any other takes the place of what was there', () => {
    const body = { model: 'a', generationConfig: { topK: 4, thinkingConfig: { thinkingBudget: 9 } }, stop: ['x'] }
    const { generationConfig, ...others } = body
    expect(withParamOverride(body, { generationConfig: { thinkingConfig: null } })).toEqual({
      ...others,
      generationConfig: { topK: 4 },
    })
    expect(
      withParamOverride(body, { generationConfig: { topP: 1, thinkingConfig: { thinkingBudget: null } } }),
    ).toEqual({
      ...others,
      generationConfig: { topK: 4, topP: 1, thinkingConfig: {} },
    })
    expect(withParamOverride(body, { generationConfig: { thinkingConfig: {} } })).toEqual({
      ...others,
      generationConfig: { thinkingConfig: {} },
    })
    expect(
      withParamOverride(body, { 'generationConfig.thinkingConfig': { thinkingBudget: null, level: 'low' } }),
    ).toEqual({
      ...others,
      generationConfig: { topK: 4, thinkingConfig: { level: 'low' } },
    })
    expect(withParamOverride(body, { stop: { at: 1, to: null }, tools: [{ default: null }] })).toEqual({
      model: 'a',
      generationConfig,
      stop: { at: 1 },
      tools: [{ default: null }],
    })
    expect(body.generationConfig).toEqual({ topK: 4, thinkingConfig: { thinkingBudget: 9 } })
  })

  test('an object that only removes leaves a body alone that has nothing of it', () => {
    const body = { model: 'a', stop: 'x' }
    const override = { generationConfig: { thinkingConfig: { budget: null } }, stop: { at: null }, 'a.b': { c: null } }
    expect(withParamOverride(body, override)).toBe(body)
  })

  test('defaults stand only where the body has nothing', () => {
    const body = { model: 'a', top_p: 0, seed: null, reasoning: { effort: 'high' }, metadata: 'text' }
    const defaults = {
      top_p: 1,
      seed: 7,
      'reasoning.effort': 'low',
      'reasoning.summary': 'auto',
      'metadata.x': 1,
      stream: 1,
    }
    expect(withParamDefaults(body, defaults)).toEqual({
      ...body,
      seed: 7,
      reasoning: { effort: 'high', summary: 'auto' },
    })
    expect(withParamDefaults(body, { top_p: 1 })).toBe(body)
    expect(withParamDefaults(body, { user: null, metadata: { x: null } })).toBe(body)
    expect(withParamDefaults({}, { thinking: { type: 'adaptive', display: null } })).toEqual({
      thinking: { type: 'adaptive' },
    })
  })

  test('answer the same object when there is nothing to change, and never touch the one they got', () => {
    const changes: ((body: JsonObject) => JsonObject)[] = [
      (body) => withModel(body, 'm'),
      withStreamUsage,
      withoutStreamOptions,
      (body) => withSystemPrompt(body, 'p'),
      (body) => withParamOverride(body, { temperature: 0 }),
      (body) => withParamOverride(body, null),
      (body) => withParamDefaults(body, { temperature: 0 }),
    ]
    const bodies = fc.record(
      { model: fc.string(), messages: fc.constant([user]), stream_options: fc.jsonValue(), temperature: fc.double() },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(bodies, (body) => {
        const before = structuredClone(body)
        for (const change of changes) {
          const once = change(body)
          expect(change(once)).toBe(once)
          if (Bun.deepEquals(once, body)) expect(once).toBe(body)
        }
        expect(body).toEqual(before)
      }),
    )
  })
})
