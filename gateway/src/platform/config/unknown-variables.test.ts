import { expect, test } from 'bun:test'

import { unknownVariables } from './unknown-variables'

test.each([
  ['DATABASE_URI', 'DATABASE_URL'],
  ['DATABSE_URL', 'DATABASE_URL'],
  ['SQL_DSN', 'DATABASE_URL'],
  ['TRUSTED_PROXY', 'TRUSTED_PROXIES'],
  ['WORKER', 'WORKERS'],
  ['LOGLEVEL', 'LOG_LEVEL'],
  ['SECRETKEY', 'SECRET_KEY'],
  ['TOLLGATE_DATA_DIR', 'DATA_DIR'],
  ['MAX_REQUEST_BODY', 'MAX_REQUEST_BODY_MB'],
  ['SECRET_KEYFILE', 'SECRET_KEY_FILE'],
  ['DATABSE_URL_FILE', 'DATABASE_URL_FILE'],
  ['WORKERS_FILE', 'WORKERS'],
])('%s is recognized as %s', (name, meant) => {
  expect(unknownVariables({ [name]: 'x' })).toEqual([{ name, meant }])
})

test.each(['OTEL_SDK_DISABLED', 'OTEL_RESOURCE_ATTRIBUTES', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'])(
  '%s is reported as unsupported',
  (name) => expect(unknownVariables({ [name]: 'x' })).toEqual([{ name, meant: null }]),
)

test('variables that are ours, empty or foreign are left alone', () => {
  const ours = {
    SECRET_KEY_FILE: 'x',
    DATABASE_URL_FILE: 'x',
    PORT: '1',
    DATABASE_URL: 'x',
    OTEL_SERVICE_NAME: 'x',
    HTTPS_PROXY: 'x',
    https_proxy: 'x',
  }
  const empty = { DATABASE_URI: '', TRUSTED_PROXY: undefined }
  const others = ['PATH', 'HOME', 'HOSTNAME', 'NO_PROXY', 'no_proxy', 'SHELL', 'TERM', 'LANG', 'PWD', 'SHLVL', 'USER']
  const more = [
    'LOGNAME',
    'MAIL',
    'TOLLGATE_PORT',
    'TOLLGATE_SERVICE_HOST',
    'KUBERNETES_PORT',
    'NODE_ENV',
    'TZ',
    'SHOST',
  ]
  const environment = Object.fromEntries([...others, ...more].map((name) => [name, 'x']))
  expect(unknownVariables({ ...ours, ...empty, ...environment })).toEqual([])
})
