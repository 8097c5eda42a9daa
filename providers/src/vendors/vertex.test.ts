import { createVerify, generateKeyPairSync } from 'node:crypto'

import { describe, expect, test } from 'bun:test'

import type { AuthTools } from '../provider'
import { aTarget } from './fixture'
import { authorizeVertex, renewVertex } from './vertex-auth'
import { locationUrlOf, regionOf } from './vertex-location'

const pair = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
})
const google = 'https://{region}-aiplatform.googleapis.com'
const request = { url: 'https://x.example', headers: {}, body: '{}' }
const start = Date.UTC(2026, 2, 15, 10)

/** An account of its own for each test: tokens are kept for all calls of a process. */
let accounts = 0
const keyOf = (overrides: Record<string, unknown> = {}) =>
  JSON.stringify({
    type: 'service_account',
    project_id: 'proj-1',
    private_key_id: 'kid-1',
    private_key: pair.privateKey,
    client_email: `gate-${(accounts += 1)}@proj-1.iam.gserviceaccount.com`,
    token_uri: 'https://elsewhere.example/token',
    ...overrides,
  })

interface TokenRequest {
  readonly url: string
  readonly form: URLSearchParams
}

const respondWithToken = (token: string, seconds = 3600) => Response.json({ access_token: token, expires_in: seconds })

/** Tools that answer token requests in turn, and what was asked. */
function tools(...answers: readonly (() => Response | Promise<Response>)[]) {
  const requested: TokenRequest[] = []
  const clock = { now: start }
  const authTools: AuthTools = {
    now: () => clock.now,
    fetch: async (url, init) => {
      requested.push({ url, form: new URLSearchParams(typeof init.body === 'string' ? init.body : '') })
      const answer = answers[requested.length - 1]
      if (!answer) throw new Error('Nothing more is answered')
      return answer()
    },
  }
  return { tools: authTools, requested, clock }
}

const token = (key: string, authTools: AuthTools, baseUrl = google) =>
  authorizeVertex(request, aTarget({ key, baseUrl }), authTools)

const partOf = (assertion: string, index: number): unknown =>
  JSON.parse(Buffer.from(assertion.split('.')[index] ?? '', 'base64url').toString())

describe('a token of Google', () => {
  test('an access token is requested in the name of the account', async () => {
    const { tools: authTools, requested } = tools(() => respondWithToken('t1'))
    const key = keyOf({ client_email: 'gate@proj-1.iam.gserviceaccount.com' })
    expect(await token(key, authTools)).toEqual({ headers: { authorization: 'Bearer t1' } })
    expect(requested[0]?.url).toBe('https://oauth2.googleapis.com/token')
    expect(requested[0]?.form.get('grant_type')).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer')
    const assertion = requested[0]?.form.get('assertion') ?? ''
    expect(partOf(assertion, 0)).toEqual({ alg: 'RS256', typ: 'JWT', kid: 'kid-1' })
    expect(partOf(assertion, 1)).toEqual({
      iss: 'gate@proj-1.iam.gserviceaccount.com',
      scope: 'https://www.googleapis.com/auth/cloud-platform',
      aud: 'https://oauth2.googleapis.com/token',
      iat: start / 1000,
      exp: start / 1000 + 3600,
    })
    const [head, claims, signature = ''] = assertion.split('.')
    const verify = createVerify('sha256').update(`${head}.${claims}`)
    expect(verify.verify(pair.publicKey, Buffer.from(signature, 'base64url'))).toBe(true)
  })

  test('an access token is kept until five minutes before it expires', async () => {
    const {
      tools: authTools,
      requested,
      clock,
    } = tools(
      () => respondWithToken('t1'),
      () => respondWithToken('t2'),
    )
    const key = keyOf()
    await token(key, authTools)
    clock.now = start + 55 * 60_000 - 1
    expect(await token(key, authTools)).toEqual({ headers: { authorization: 'Bearer t1' } })
    clock.now += 1
    expect(await token(key, authTools)).toEqual({ headers: { authorization: 'Bearer t2' } })
    expect(requested).toHaveLength(2)
  })

  test('a token that Google refuses before its end is forgotten once', async () => {
    const key = keyOf()
    const { tools: authTools, clock } = tools(
      () => respondWithToken('t1'),
      () => respondWithToken('t2'),
    )
    const refused = await token(key, authTools)
    const target = aTarget({ key, baseUrl: google })
    expect(renewVertex(target, refused, clock.now)).toBe(true)
    const next = await token(key, authTools)
    expect(next).toEqual({ headers: { authorization: 'Bearer t2' } })
    expect(renewVertex(target, next, clock.now)).toBe(false)
    expect(renewVertex(aTarget({ key: 'no account' }), next, clock.now)).toBe(false)
  })

  test('concurrent calls share one token request per key', async () => {
    const gate = Promise.withResolvers<Response>()
    const { tools: authTools, requested } = tools(
      () => gate.promise,
      () => respondWithToken('other'),
    )
    const key = keyOf()
    const calls = [token(key, authTools), token(key, authTools)]
    expect(await token(keyOf(), authTools)).toEqual({ headers: { authorization: 'Bearer other' } })
    gate.resolve(respondWithToken('t1'))
    const expected = { headers: { authorization: 'Bearer t1' } }
    expect(await Promise.all(calls)).toEqual([expected, expected])
    expect(requested).toHaveLength(2)
  })

  test('callers that waited for an aborted token request send it again', async () => {
    const gate = Promise.withResolvers<Response>()
    const { tools: authTools } = tools(
      () => gate.promise,
      () => respondWithToken('t2'),
    )
    const key = keyOf()
    const left = token(key, authTools).catch(String)
    const stayed = token(key, authTools)
    gate.reject(new TypeError('The client left'))
    expect(await left).toBe('Error: The client left')
    expect(await stayed).toEqual({ headers: { authorization: 'Bearer t2' } })
  })

  test('an account unknown to Google gets no access token', async () => {
    const respondWithRefusal = () =>
      Response.json({ error: 'invalid_grant', error_description: 'Account not found' }, { status: 400 })
    const { tools: authTools } = tools(
      respondWithRefusal,
      () => new Response('Busy', { status: 503 }),
      () => respondWithToken('t3'),
    )
    const key = keyOf()
    expect(await token(key, authTools).catch(String)).toBe(
      'TypeError: Google gave no token (status 400): Account not found',
    )
    const busy: unknown = await token(key, authTools).catch((error: unknown) => error)
    expect(busy).not.toBeInstanceOf(TypeError)
    expect(String(busy)).toBe('Error: Google gave no token (status 503)')
    expect(await token(key, authTools)).toEqual({ headers: { authorization: 'Bearer t3' } })
  })

  test.each([['sk-1'], ['{}'], [keyOf({ project_id: '' })], [keyOf({ private_key: 'no key' })]])(
    'no access token is requested with an invalid key',
    async (key) => {
      const { tools: authTools, requested } = tools()
      const refusal: unknown = await token(key, authTools).catch((error: unknown) => error)
      expect(refusal).toBeInstanceOf(TypeError)
      expect(requested).toBeEmpty()
    },
  )

  test.each([
    ['https://europe-west1-aiplatform.googleapis.com', 'https://oauth2.googleapis.com/token'],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080/token'],
    ['https://vertex.example/x.googleapis.com', 'https://vertex.example/x.googleapis.com/token'],
  ])('the token for a channel at %s comes from %s, whatever the key says', async (baseUrl, url) => {
    const { tools: authTools, requested } = tools(() => respondWithToken('t1'))
    await token(keyOf(), authTools, baseUrl)
    expect(requested[0]?.url).toBe(url)
    expect(partOf(requested[0]?.form.get('assertion') ?? '', 1)).toMatchObject({ aud: url })
  })
})

test.each([
  ['', 'm', 'global'],
  ['us-central1', 'm', 'us-central1'],
  ['{"default":"us-central1","m":"europe-west1"}', 'm', 'europe-west1'],
  ['{"default":"us-central1","m":"europe-west1"}', 'n', 'us-central1'],
  ['{"m":"europe-west1"}', 'n', 'global'],
  ['{broken', 'm', 'global'],
  ['evil.example/', 'm', 'global'],
])('the region of %j for %s is %s', (other, model, region) => expect(regionOf({ other, model })).toBe(region))

test.each([
  ['us-central1', 'https://us-central1-aiplatform.googleapis.com/v1/projects/proj-1/locations/us-central1'],
  ['global', 'https://aiplatform.googleapis.com/v1/projects/proj-1/locations/global'],
  ['eu', 'https://aiplatform.eu.rep.googleapis.com/v1/projects/proj-1/locations/eu'],
])('calls of %s go to %s', (other, place) => {
  expect(locationUrlOf(aTarget({ baseUrl: google, other, key: keyOf() }), 'v1', 'm')).toBe(place)
})
