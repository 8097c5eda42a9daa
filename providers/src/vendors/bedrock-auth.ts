import { AwsV4Signer } from 'aws4fetch'

import type { Authorize, Target } from '../provider'

type BedrockKey = { readonly region: string } & (
  | { readonly apiKey: string }
  | { readonly accessKeyId: string; readonly secretAccessKey: string }
)

const regionName = /^[a-z]{2}(?:-[a-z]+)+-\d+$/

/** The region a key is for; empty when the key is malformed, which `signed` then says. */
export const regionOf = ({ key }: Pick<Target, 'key'>): string => readKey(key)?.region ?? ''

/**
 * A signature over the request, or an API key of Bedrock's own.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv.html. Only what no proxy on the way changes is signed.
 */
export const authorizeBedrock: Authorize = async ({ url, body }, target, { now }) => {
  const key = readKey(target.key)
  if (key === null) throw new TypeError('The key must be AccessKeyID|SecretAccessKey|region or APIKey|region')
  if ('apiKey' in key) return { headers: { authorization: `Bearer ${key.apiKey}` } }
  const signer = new AwsV4Signer({
    method: 'POST',
    url,
    body,
    ...key,
    service: 'bedrock',
    datetime: new Date(now()).toISOString().replaceAll(/[-:]|\.\d{3}/g, ''),
  })
  const { headers } = await signer.sign()
  return { headers: Object.fromEntries(headers) }
}

function readKey(key: string): BedrockKey | null {
  const parts = key.split('|').map((part) => part.trim())
  const region = parts.pop() ?? ''
  if (!regionName.test(region) || parts.includes('')) return null
  const [first, second, ...more] = parts
  if (first === undefined || more.length > 0) return null
  return second === undefined ? { region, apiKey: first } : { region, accessKeyId: first, secretAccessKey: second }
}
