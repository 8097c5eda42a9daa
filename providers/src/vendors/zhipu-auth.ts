import type { AuthTools } from '../provider'
import { KeptTokens } from './kept-tokens'
import { hs256Token } from './signed-token'

const lifetimeMs = 24 * 60 * 60 * 1000
const reserveMs = 10 * 60 * 1000
const tokens = new KeptTokens()

/**
 * A token that the key signs, used until shortly before it ends. A key without an id is sent as it is.
 * https://docs.bigmodel.cn/cn/guide/develop/http/introduction
 */
export async function zhipuToken(key: string, tools: AuthTools): Promise<string> {
  const [id = '', secret, ...rest] = key.trim().split('.')
  if (!id || !secret || rest.length > 0) return key.trim()
  return await tokens.token([key], tools, async () => {
    const timestamp = tools.now()
    const exp = timestamp + lifetimeMs
    const text = hs256Token({ alg: 'HS256', sign_type: 'SIGN' }, { api_key: id, exp, timestamp }, secret)
    return { text, goodUntil: exp - reserveMs }
  })
}
