import { expect, test } from 'bun:test'

import { mask } from './mask'

test.each([
  ['Incorrect API key provided: sk-abcdefgh1234.', 'Incorrect API key provided: [key].'],
  ['see https://api.vendor.example/v1?key=x for more', 'see [address] for more'],
  ['connect to 10.1.2.3:8080 failed', 'connect to [address] failed'],
  ['connect to [2001:db8::1:2:3]:443 failed', 'connect to [address] failed'],
  ['upstream.internal:8443 is down', '[address] is down'],
  ['host llm-prod-7.corp.internal is down', 'host [address] is down'],
  ['see platform.vendor.com.', 'see [address].'],
  ['db7.eu.svc.cluster.local refused', '[address] refused'],
  ['Authorization: Bearer abc.def-ghi', 'Authorization: [key]'],
  ['AIzaSyA1234567890abcdef is wrong', '[key] is wrong'],
  ['at 12:30:15 try version 1.2.3', 'at 12:30:15 try version 1.2.3'],
  ['max_tokens must be at most 4096', 'max_tokens must be at most 4096'],
  ['messages.0.content.type of gpt-4.1-mini is wrong', 'messages.0.content.type of gpt-4.1-mini is wrong'],
  ['a\0b', 'ab'],
  [
    'Rate limit reached for gpt-4o in organization org-OWNER on tokens',
    'Rate limit reached for gpt-4o in organization [account] on tokens',
  ],
  ['Organization: org-a1', 'Organization: [account]'],
  ['Project proj_Ab12cd34ef does not have access', 'Project [key] does not have access'],
  ['Your account 2100456789 is overdue', 'Your account [account] is overdue'],
  ['account "Acme Corp Ltd" is suspended', 'account [account] is suspended'],
  ['The account [2100456789] has no resource package', 'The account [account] has no resource package'],
  ['subscription 1f0c7a52-1111-4222-8333-444455556666 is disabled', 'subscription [account] is disabled'],
  ['arn:aws:bedrock:us-east-1:123456789012:inference-profile/x is not authorized', '[account] is not authorized'],
  ['projects/acme-prod-123/locations/us is missing', 'projects/[account]/locations/us is missing'],
  ['Consumer project_number:123456 has been suspended', 'Consumer [account] has been suspended'],
  ['write to billing@acme-corp.example', 'write to [account]'],
  ['账号ID：2100456789 已欠费', '账号ID：[account] 已欠费'],
  ['the key ab***xyz9 is wrong', 'the key [key] is wrong'],
  ['Incorrect API key provided: sk-***', 'Incorrect API key provided: [key]'],
  ['the API key ending in x9Fk was revoked', 'the API key ending in [key] was revoked'],
  ["invalid token 'abcd...wxyz'", "invalid token '[key]'"],
  ['your account balance is too low', 'your account balance is too low'],
  ['this organization must be verified', 'this organization must be verified'],
  ['the project is not active', 'the project is not active'],
  ['** bold ** and wait...for it', '** bold ** and wait...for it'],
])('%p is shown as %p', (message, shown) => expect(mask(message)).toBe(shown))

test('known secrets are masked whatever they look like', () => {
  expect(mask('the key plainword is wrong', ['plainword'])).toBe('the key [key] is wrong')
})

test.each([
  ['bce-v3/ALTAK-SECRETPART/9f8e7d6c5b4a|app1', 'parts bce-v3/ALTAK-SECRETPART/9f8e7d6c5b4a and app1'],
  ['bce-v3/ALTAK-SECRETPART/9f8e7d6c5b4a|app1', 'the access key ALTAK-SECRETPART'],
  ['AKIDEXAMPLE000|wJalrXUtnFEMIK7MDENG|us-east-1', 'secret wJalrXUtnFEMIK7MDENG of AKIDEXAMPLE000'],
  ['one-plain-key,other-plain-key', 'other-plain-key is wrong'],
  [
    'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE000/20300101/eu/bedrock, Signature=0123456789abcdef',
    'Signature 0123456789abcdef is not that of AKIDEXAMPLE000',
  ],
])('every part of the compound secret %p is masked', (secret, message) => {
  const shown = mask(message, [secret])
  for (const part of secret.split(/[|,=/ ]+/)) if (part.length >= 10) expect(shown).not.toContain(part)
  expect(shown).toContain('[key]')
})

test('every field of a service account is masked', () => {
  const account = JSON.stringify({
    type: 'service_account',
    project_id: 'acme-internal-prod',
    private_key:
      '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0\nBAQEFAASCBKcwggSjAgEAAo\n-----END PRIVATE KEY-----\n',
    client_email: 'gate@acme-internal-prod.iam.gserviceaccount.com',
  })
  const message =
    'gate@acme-internal-prod.iam.gserviceaccount.com of acme-internal-prod signed with BAQEFAASCBKcwggSjAgEAAo'
  expect(mask(message, [account])).toBe('[key] of [key] signed with [key]')
})

test('masking twice changes nothing', () => {
  const once = mask('https://a.example/ sk-12345678 1.2.3.4', ['topsecret'])
  expect(mask(once, ['topsecret'])).toBe(once)
})

test('a long message is cut', () => expect(mask('x '.repeat(9000)).length).toBeLessThan(2100))
