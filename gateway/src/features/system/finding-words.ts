import type { systemRoutes } from '@tollgate/contract'

type Finding = systemRoutes.Finding
type Sentence = readonly [english: string, chinese: string]

const subjects: Readonly<Record<string, string>> = {
  configuration: '配置',
  gateway: '网关',
  'data folder': '数据目录',
  disk: '磁盘',
  database: '数据库',
  schema: '表结构',
  clock: '时钟',
  'secret key': '密钥',
  journal: '扣费日志',
  mail: '邮件',
  redis: 'Redis',
  port: '端口',
  certificate: '证书',
}

/** Chinese for placeholders that are not names. */
const values: Readonly<Record<string, string>> = { 'the mail server': '邮件服务器' }

/** The sentences that the checks in `upkeep` produce; placeholders in braces are copied. The first match counts. */
const sentences: readonly Sentence[] = [
  ['can be read', '可以读取'],
  ['runs on this data folder', '正在使用此数据目录运行'],
  ['does not run on this data folder', '没有在此数据目录上运行'],
  ['could not be checked: {reason}', '无法检查：{reason}'],
  ['{name} has no effect. Did you mean {other}?', '{name} 不起作用，是否应为 {other}？'],
  ['{path} is not there yet and will be made', '{path} 尚不存在，将自动创建'],
  ['{path} can be written', '{path} 可以写入'],
  ['{path} cannot be written: {reason}', '{path} 无法写入：{reason}'],
  ['{size} MB are free for DATA_DIR', 'DATA_DIR 剩余空间 {size} MB'],
  ['The free space of DATA_DIR cannot be read: {reason}', '无法读取 DATA_DIR 的剩余空间：{reason}'],
  ['charges that could not be read: {files}', '有无法读取的扣费记录：{files}'],
  ['no charge waits for the database', '没有等待写入数据库的扣费'],
  [
    '{count} charges wait for the database, the oldest since {seconds} s',
    '有 {count} 笔扣费等待写入数据库，最早的已等待 {seconds} 秒',
  ],
  ['SQLite, {path} will be made at the first start', 'SQLite，首次启动时将创建 {path}'],
  ['SQLite, {size} MB, too large to be checked page by page', 'SQLite，{size} MB，文件过大，未逐页检查'],
  ['SQLite, {size} MB, whole', 'SQLite，{size} MB，完好'],
  ['SQLite, {size} MB, is damaged: {result}', 'SQLite，{size} MB，已损坏：{result}'],
  ['PostgreSQL at {host} does not answer: {reason}', '{host} 的 PostgreSQL 没有响应：{reason}'],
  ['PostgreSQL {version} is older than {oldest}', 'PostgreSQL {version} 低于版本 {oldest}'],
  ['PostgreSQL {version}', 'PostgreSQL 版本 {version}'],
  ['{path} cannot be read: {reason}', '{path} 无法读取：{reason}'],
  ['is of a later release, which only added to it: {steps}', '来自更新的版本，且该版本只增加了内容：{steps}'],
  ['is of a later release: {steps}', '来自更新的版本：{steps}'],
  ['up to date', '已是最新'],
  ['these steps are missing: {steps}', '缺少以下步骤：{steps}'],
  ['{time}, the database has the same', '{time}，数据库使用同一时钟'],
  ["{time} was not compared with the database's", '{time}，未能与数据库时钟比较'],
  ["{ms} ms behind the database's", '比数据库慢 {ms} 毫秒'],
  ["{ms} ms ahead of the database's", '比数据库快 {ms} 毫秒'],
  ['was not compared with what is sealed', '未能与已加密的内容核对'],
  ['will be made at the first start', '首次启动时将自动生成'],
  ['is missing, and {count} secrets are sealed with it', '缺失，而有 {count} 项机密用它加密'],
  ['does not open {closed} of {count} channel keys and options', '无法解开 {count} 项渠道密钥和选项中的 {closed} 项'],
  ['{path} can be read by others', '其他用户可以读取 {path}'],
  ['from {place}, opens all {count} sealed secrets', '来自 {place}，可解开全部 {count} 项机密'],
  ['is not set up', '未设置'],
  ['goes out by {server}', '通过 {server} 发送'],
  [
    '{count} wait and {lost} were given up within a day: {reason}',
    '{count} 封等待发送，一天内有 {lost} 封放弃发送：{reason}',
  ],
  ['{count} wait and {lost} were given up within a day', '{count} 封等待发送，一天内有 {lost} 封放弃发送'],
  ['any free one of {host}', '{host} 上任一空闲端口'],
  ['{address} is free', '{address} 空闲'],
  ['{address} is in use, and a gateway runs', '{address} 正被占用，且网关正在运行'],
  ['{address} is in use by another program', '{address} 被其他程序占用'],
  ['{host} is not an address of this machine', '{host} 不是本机地址'],
  ['{address} cannot be listened on: {code}', '无法监听 {address}：{code}'],
  ['not configured, limits are counted in memory', '未配置，限流在内存中计数'],
  ['not configured, each of the {workers} workers counts limits alone', '未配置，{workers} 个工作进程各自计数限流'],
  ['{host} answers', '{host} 有响应'],
  ['{host} does not answer: {reason}', '{host} 没有响应：{reason}'],
  ['of {server} at {host} could not be read: {reason}', '{host}（{server}）的证书无法读取：{reason}'],
  ['of {server} at {host} ended on {date}', '{host}（{server}）的证书已于 {date} 过期'],
  ['of {server} at {host} is valid until {date}', '{host}（{server}）的证书有效期至 {date}'],
]

const advices: readonly Sentence[] = [
  ['Correct it in the environment', '请在环境变量中改正'],
  ['See the database first', '请先检查数据库'],
  ['Give the user that runs the gateway the folder, or set DATA_DIR', '请让运行网关的用户拥有该目录，或设置 DATA_DIR'],
  [
    'Make room, or move DATA_DIR: without any no call can be charged',
    '请腾出空间或迁移 DATA_DIR：空间耗尽后将无法扣费',
  ],
  [
    'Look after the disk; what the files hold or tell of was not charged. Then move them away',
    '请检查磁盘；这些文件中的内容没有扣费。处理后请将文件移走',
  ],
  ['Start the gateway, which charges them, and never delete the folder', '请启动网关以完成扣费，切勿删除该目录'],
  ['See whether the database answers, and the log of the gateway', '请检查数据库是否响应，并查看网关日志'],
  ['Look into {path}: charges may be in it', '请查看 {path}：其中可能有扣费记录'],
  ['Restore a backup into a new DATA_DIR', '请将备份恢复到新的 DATA_DIR'],
  ['See whether it runs, and whether DATABASE_URL is right', '请检查其是否运行，以及 DATABASE_URL 是否正确'],
  ['Plan to move to a newer one', '请计划升级到新版本'],
  ['Use that release', '请使用该版本'],
  ['The next start of the gateway makes them', '下次启动网关时会自动执行'],
  ['Let both machines follow the same time server', '请让两台机器使用同一时间服务器'],
  ['Set SECRET_KEY, or put secret-key back', '请设置 SECRET_KEY，或放回 secret-key 文件'],
  [
    'Set the SECRET_KEY they were sealed with, or enter them again',
    '请设置加密时所用的 SECRET_KEY，或重新填写这些内容',
  ],
  ['Send a test mail from the settings', '请在设置中发送测试邮件'],
  ['Stop it, or set PORT', '请停止该程序，或设置 PORT'],
  ['Set HOST, as to 0.0.0.0', '请设置 HOST，例如 0.0.0.0'],
  ['Set a PORT above 1023, or give the user the right', '请设置大于 1023 的 PORT，或授予该用户权限'],
  ['Set REDIS_URL to share them', '请设置 REDIS_URL 以共享计数'],
  [
    'See whether it runs, and whether REDIS_URL is right; until then each worker counts alone',
    '请检查其是否运行，以及 REDIS_URL 是否正确；在此之前每个工作进程各自计数',
  ],
  ['See whether the server runs', '请检查服务器是否运行'],
  ['Renew it on that server', '请在该服务器上续期'],
]

/** Returns a finding of the doctor, which is in English, in Chinese. Unknown sentences are left unchanged. */
export const chineseFinding = ({ subject, text, advice, ...finding }: Finding): Finding => ({
  ...finding,
  subject: subjects[subject] ?? subject,
  text: inChinese(text, sentences),
  advice: inChinese(advice, advices),
})

function inChinese(text: string, known: readonly Sentence[]): string {
  for (const [english, chinese] of known) {
    const found = patternOf(english).exec(text)
    if (found) return chinese.replaceAll(/\{(\w+)\}/g, (_, name: string) => valueOf(found.groups?.[name] ?? ''))
  }
  return text
}

const valueOf = (found: string): string => values[found] ?? found

const patternOf = (english: string): RegExp =>
  new RegExp(`^${RegExp.escape(english).replaceAll(/\\\{(\w+)\\\}/g, '(?<$1>[^]*?)')}$`)
