import { expect, test } from 'bun:test'

import { chineseFinding } from './finding-words'

const of = (subject: string, text: string, advice = '') => chineseFinding({ level: 'warn', subject, text, advice })

test.each([
  ['disk', '512 MB are free for DATA_DIR', '', 'DATA_DIR 剩余空间 512 MB', ''],
  ['database', 'SQLite, 1.5 MB, whole', '', 'SQLite，1.5 MB，完好', ''],
  [
    'database',
    'PostgreSQL 13 is older than 14',
    'Plan to move to a newer one',
    'PostgreSQL 13 低于版本 14',
    '请计划升级到新版本',
  ],
  ['clock', "1200 ms behind the database's", '', '比数据库慢 1200 毫秒', ''],
  [
    'journal',
    'charges that could not be read: a.db, b.db',
    'Look into /data/journal: charges may be in it',
    '有无法读取的扣费记录：a.db, b.db',
    '请查看 /data/journal：其中可能有扣费记录',
  ],
  [
    'mail',
    '3 wait and 1 were given up within a day: no: route',
    '',
    '3 封等待发送，一天内有 1 封放弃发送：no: route',
    '',
  ],
  [
    'certificate',
    'of the mail server at smtp.example.com:465 is valid until 2027-01-02',
    '',
    'smtp.example.com:465（邮件服务器）的证书有效期至 2027-01-02',
    '',
  ],
])('a finding about %s says in Chinese: %s', (subject, text, advice, chinese, todo) => {
  const finding = of(subject, text, advice)
  expect(finding).toMatchObject({ level: 'warn', text: chinese, advice: todo })
  expect(finding.subject).toMatch(/\p{Script=Han}/u)
})

test('an unknown sentence is not translated', () => {
  expect(of('moon', 'is full', 'Wait')).toEqual({ level: 'warn', subject: 'moon', text: 'is full', advice: 'Wait' })
})
