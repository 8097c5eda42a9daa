/** What a refusal says that concerns the operator, not the caller. */
export type RefusalTopic = 'funds' | 'key' | 'model'

/** What a text is searched for. */
type TextPattern = Pick<RegExp, 'test'>

/** The longest phrase that is looked for behind another one. */
const maxPhraseLength = 40

/**
 * Finds a phrase that begins at most `within` characters behind another one, in the same line or sentence. One pattern for both would be
 * tried at each place of the text for each length of what lies between. `first` is global.
 */
export const matchSequence = (first: RegExp, within: number, then: RegExp): TextPattern => ({
  test(text) {
    for (const { 0: found, index } of text.matchAll(first)) {
      const from = index + found.length
      const [rest = ''] = text.slice(from, from + within + maxPhraseLength).split(/[\n。]/, 1)
      const at = rest.search(then)
      if (at >= 0 && at <= within) return true
    }
    return false
  },
})

type RefusalWords = Partial<Readonly<Record<RefusalTopic, readonly TextPattern[]>>>

/**
 * What vendors say when an account has no money or quota left, when they reject a key, and when they lack a model: whole sentences where
 * they have a status of the request, 400 or 404. `common` is what several say. A message is at most a few thousand characters long.
 */
export const refusalWords: Readonly<Record<string, RefusalWords>> = {
  common: {
    funds: [
      /\binsufficient (?:\w+ )?(?:balance|credits?|funds|quota)\b/i,
      matchSequence(
        /\b(?:balance|credits?|quota|funds)\b/gi,
        40,
        /\b(?:insufficient|too low|not enough|depleted|exhausted|used up)\b/i,
      ),
      matchSequence(/\b(?:account|subscription|service)\b/gi, 40, /\b(?:overdue|in arrears|suspended|deactivated)\b/i),
      /\b(?:out of|no (?:more|remaining)) credits\b|\bno credits (?:left|remaining)\b/i,
      matchSequence(/\bexceeded your\b/gi, 30, /\b(?:credits|quota|spend limit|spending limit)\b/i),
      matchSequence(/\bcredit limit\b/gi, 20, /\b(?:exceeded|reached)\b/i),
      matchSequence(/\b(?:exceeded|reached) (?:its|your|the)\b/gi, 30, /\bspend(?:ing)? (?:cap|limit)\b/i),
      /\b(?:trial|subscription|plan) (?:has )?(?:expired|ended)\b|\bpayment required\b/i,
      /(?:余额|额度|资源包|套餐|流量包|配额|积分|点数)[^。\n]{0,12}(?:不足|耗尽|用尽|用完|为负|为\s?0|达到?上限)|次数已?用(?:完|尽)|欠费|请(?:先|及时)?充值/,
      /(?:消费|费用|[本每今][日周月][^。\n]{0,6}用量)[^。\n]{0,8}(?:达到?|超过|超出)[^。\n]{0,6}(?:上限|限额)/,
      /(?:套餐|订阅|资源包|试用)[^。\n]{0,6}(?:过期|到期)|(?:账户|账号)[^。\n]{0,8}(?:停用|冻结|封禁|异常)/,
    ],
    key: [
      /\b(?:invalid|incorrect|expired|wrong|unknown) (?:x-)?(?:api|access|secret)[ -]?key\b/i,
      matchSequence(
        /\bapi[ _-]?key\b/gi,
        30,
        /\b(?:invalid|not valid|expired|incorrect|revoked|does ?n[o']t exist|disabled)\b/i,
      ),
      /\borganization has been (?:disabled|restricted)\b/i,
      /(?:鉴权|认证|身份验证)失败|(?:密钥|令牌)[^。\n]{0,8}(?:无效|错误|失效|过期|不存在|不正确|禁用|吊销)/,
      /(?:无效|错误|非法)的?\s?(?:API|api)[ -]?(?:KEY|Key|key)|(?:API|api)[ -]?(?:KEY|Key|key)[^。\n]{0,8}(?:无效|错误|失效|过期|不存在|不正确|禁用|吊销)/,
    ],
    model: [
      matchSequence(/\bmodel\b/gi, 160, /\b(?:not (?:found|available|exist|supported)|does ?n[o']t exist|unknown)\b/i),
      /\b(?:unknown|unsupported|invalid|no such) model\b/i,
      matchSequence(/\bmodel\b/gi, 80, /\b(?:is|was|has been) (?:deprecated|decommissioned|retired|discontinued)\b/i),
      matchSequence(/\bmodel\b/gi, 80, /\bno longer (?:available|supported|offered|served)\b/i),
      /\b(?:does not have|has no) access to (?:the )?model\b/i,
      matchSequence(/模型/g, 60, /不存在|不支持|未找到|不可用|未开通|下线|下架|停用|停止服务|停服/),
      matchSequence(/不支持|未知|没有|无权/g, 20, /模型/),
    ],
  },
  openai: {
    funds: [
      /exceeded your current quota/i,
      /billing hard limit has been reached/i,
      /account is not active, please check your billing/i,
    ],
  },
  // https://platform.claude.com/docs/en/api/errors
  anthropic: {
    funds: [/credit balance is too low/i, matchSequence(/\breached your specified\b/gi, 20, /\bapi usage limits\b/i)],
    key: [/\binvalid bearer token/i, /\boauth token has (?:expired|been revoked)/i],
  },
  // https://ai.google.dev/gemini-api/docs/troubleshooting
  gemini: {
    funds: [/prepayment credits are depleted/i, /requires billing to be enabled/i],
    key: [/\bapi key was reported as leaked/i, matchSequence(/\bconsumer\b/gi, 80, /\bhas been suspended\b/i)],
    model: [/\bmodels\/[\w.-]{1,100} is not found for api version/i],
  },
  vertex: { funds: [/requires billing to be enabled/i] },
  azure: {
    funds: [matchSequence(/\bsubscription\b/gi, 40, /\bdisabled\b/i)],
    key: [/invalid subscription key/i],
    model: [/api deployment for this resource does not exist/i],
  },
  bedrock: {
    key: [/security token included in the request is (?:invalid|expired)/i],
    model: [
      /model identifier is invalid/i,
      /access to the model with the specified model id/i,
      /on-demand throughput isn[’']t supported/i,
      /model version has reached the end of its life/i,
      /marked by provider as legacy/i,
      matchSequence(/\bmodel\b/gi, 160, /\bisn[’']t supported on this route/i),
    ],
  },
  // https://api-docs.deepseek.com/quick_start/error_codes
  deepseek: { key: [/authentication fails/i] },
  // https://platform.moonshot.cn/docs/api/errors
  moonshot: {
    funds: [/check your plan and billing details/i, /\breached your usage limit\b/i],
    key: [/invalid authentication/i, /incorrect api key provided/i],
    model: [/not found the model/i],
  },
  // https://docs.bigmodel.cn/cn/api/api-code
  zhipu: {
    funds: [/无可用资源包/, /账户已被锁定/, /套餐已到期/],
    key: [/身份验证失败/, /令牌已过期或验证不正确/],
    model: [/模型不存在/, /您无权访问该?模型/, /订阅套餐暂未开放/],
  },
  // https://help.aliyun.com/zh/model-studio/error-code
  dashscope: {
    funds: [
      /account is in good standing/i,
      /free tier of the model has been exhausted/i,
      /free allocated quota exceeded/i,
    ],
    key: [/invalid api-key provided/i, /no api-key provided/i],
    model: [/model not exist/i],
  },
  // https://docs.siliconflow.cn/cn/faqs/error-code
  siliconflow: { key: [/api key is invalid/i], model: [/model disabled/i] },
  // https://www.volcengine.com/docs/82379/1299023
  volcengine: {
    funds: [/overdue balance/i, /reached the set inference limit/i],
    key: [/\bapi key or ak\/sk in the request is missing or invalid/i],
    model: [/has not activated the model/i, /\btargeted an endpoint that is currently closed/i],
  },
  // https://platform.minimaxi.com/docs/api-reference/errorcode
  minimax: { key: [/login fail: please carry the api secret key/i, /invalid api key/i] },
  // https://cloud.baidu.com/doc/WENXINWORKSHOP/s/tlmyncueh
  baidu: {
    funds: [/daily request limit reached/i, /open api (?:total|daily) request limit/i],
    key: [/iam certification failed/i, /\baccess token (?:is )?(?:invalid|expired)/i],
  },
  // https://cloud.baidu.com/doc/qianfan-api/s/rmwbl43x7
  qianfan: { key: [/invalid_iam_token|invalid iam token/i] },
  // https://cloud.tencent.com/document/api/1729/101843
  tencent: {
    funds: [/资源包余量已用尽/, /账号已?被?停服/],
    key: [/the secretid is not found/i, /签名错误/, /密钥不存在/],
    model: [/服务未开通/],
  },
  // https://www.xfyun.cn/doc/spark/Web.html
  iflytek: {
    funds: [/licc failed/i, /授权量已用尽/],
    key: [/appidnoautherror/i, /hmac signature (?:does not match|cannot be verified)/i],
  },
  xai: { funds: [/does ?n[o']t have any credits/i, /used all available credits/i, /monthly spending limit/i] },
  // https://openrouter.ai/docs/api-reference/errors
  openrouter: {
    funds: [/requires more credits/i, /key limit exceeded/i],
    key: [/no auth credentials found/i],
    model: [/is not a valid model id/i, /no endpoints found/i],
  },
  // https://developers.cloudflare.com/workers-ai/platform/errors/
  cloudflare: {
    funds: [/used up your daily free allocation/i],
    key: [/^authentication error$/i],
    model: [matchSequence(/\bmodel\b/gi, 40, /\bdeprecated\b/i)],
  },
  mistral: { funds: [/inactive subscription or usage limit reached/i] },
  // Its cloud, in whose name a server at home may answer.
  ollama: { funds: [/\breached your (?:hourly|session|weekly) usage limit/i] },
  // https://www.coze.cn/open/docs/developer_guides/coze_error_codes
  coze: { key: [/\bauthentication is invalid/i], model: [matchSequence(/\bbot/gi, 80, /\bnot been published/i)] },
  github: { key: [/\bbad credentials\b/i] },
  // https://app.klingai.com/global/dev/document-api/apiReference/commonInfo
  kling: { funds: [matchSequence(/\bresource pack\b/gi, 20, /\b(?:depleted|exhausted|expired)\b/i)] },
  vidu: { funds: [/\bcredit ?insufficient/i] },
  cohere: { key: [/invalid api token/i], funds: [/using a trial key/i] },
  jina: { funds: [/account balance not enough/i] },
  // Gateways like this one, as upstreams.
  custom: {
    funds: [/user quota is not enough/i, /该令牌额度已用尽/, /预扣费额度失败/],
    key: [/无效的令牌/, /该?令牌(?:状态不可用|已过期)/],
    model: [/无可用(?:渠道|账号)/, /no available (?:channel|account)/i],
  },
}

const topics = ['funds', 'key', 'model'] as const satisfies readonly RefusalTopic[]

const patterns = topics.map(
  (topic) => [topic, Object.values(refusalWords).flatMap((words) => words[topic] ?? [])] as const,
)

/**
 * Returns what a refusal concerns by the texts that it consists of; null when that is the request. Vendors hide behind each other's
 * dialects, so the words of all of them count.
 */
export const refusalTopic = (texts: readonly string[]): RefusalTopic | null =>
  patterns.find(([, some]) => some.some((pattern) => texts.some((text) => pattern.test(text))))?.[0] ?? null

/**
 * What upstreams say that serve a model by streams alone: DashScope of QwQ, Omni and Qwen3 with thinking, Fireworks of long answers,
 * Anthropic of calls that may take longer than ten minutes, and compatible hosts.
 */
const onlyStreams: readonly RegExp[] = [
  /\bonly (?:support|accept|allow)s? (?:the )?[`'"]?(?:stream|sse\b)/i,
  /\bonly stream(?:ing)? (?:(?:mode|requests|calls|responses|output) )?(?:is|are) /i,
  /\bstream(?:ing)?[`'"]?(?: parameter)? (?:must|should|needs to) be (?:set to )?[`'"]?(?:true|enabled)/i,
  /\b(?:must have|must set|please set) (?:the )?[`'"]?stream[`'"]?(?:=| = | to )[`'"]?true/i,
  /\bplease (?:enable|use) (?:the )?[`'"]?stream/i,
  /\bstreaming is (?:strongly )?(?:required|recommended)/i,
  /\bnon-?stream(?:ing)? (?:(?:mode|requests|calls|responses|output) )?(?:is|are) (?:not |un)(?:supported|allowed)/i,
  /\bnot support non-?stream/i,
  /\bset to false for non-streaming calls/i,
  /(?:仅|只|只能)支持(?:流式|stream)|不支持非流式|(?:必须|需要|请)(?:使用|开启)流式/i,
]

/** Returns whether a refusal of a call in one piece says that the model is served by streams alone. */
export const isStreamOnlyRefusal = (matches: (pattern: RegExp) => boolean): boolean => onlyStreams.some(matches)
