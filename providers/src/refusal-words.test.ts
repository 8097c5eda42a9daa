import { describe, expect, test } from 'bun:test'

import { providers } from './index'
import { matchSequence, refusalTopic, refusalWords, isStreamOnlyRefusal, type RefusalTopic } from './refusal-words'

const topicOf = (text: string) => refusalTopic([text])

describe('the words of a refusal', () => {
  test.each<[RefusalTopic, string]>([
    ['funds', 'Insufficient credit balance'],
    ['funds', '余额不足，请充值'],
    ['funds', '账户余额不足'],
    ['funds', '您的账户已欠费，请充值后重试'],
    ['funds', '余额不足或无可用资源包,请充值。'],
    ['funds', 'Sorry, your account balance is insufficient'],
    ['funds', 'user quota is not enough'],
    ['funds', '套餐包已耗尽'],
    ['funds', '本月消费已达上限'],
    ['funds', '您本月的用量已超过限额'],
    ['funds', 'Out of credits'],
    ['key', '该令牌已被禁用'],
    ['key', 'API Key 已吊销，请更换'],
    ['model', 'The model glm-3 is no longer supported. Please use glm-4.'],
    ['model', 'This model is no longer available'],
    ['model', '模型 qwen-9 已停止服务'],
    ['funds', '用户额度不足, 剩余额度: ＄0.00'],
    ['funds', 'Insufficient Balance'],
    ['funds', 'Your credit balance is too low to access the Anthropic API.'],
    ['funds', 'Access denied, please make sure your account is in good standing.'],
    ['funds', 'The request failed because your account has an overdue balance.'],
    ['funds', 'Account balance not enough to run this query, please recharge.'],
    ['funds', 'Insufficient credits. Add more using https://openrouter.ai/credits'],
    ['funds', 'Your team has either used all available credits or reached its monthly spending limit.'],
    ['funds', '免费资源包余量已用尽'],
    ['funds', 'You have reached your specified API usage limits. You will regain access on 2026-12-01 at 00:00 UTC.'],
    ['funds', 'You have reached your specified workspace API usage limits.'],
    ['funds', 'You exceeded your current quota, please check your plan and billing details.'],
    ['funds', 'You have insufficient credits to make this request. Please purchase more credits to continue.'],
    ['funds', 'You have exceeded your monthly included credits for Inference Providers.'],
    ['funds', 'You have run out of credits.'],
    ['funds', 'The service has been suspended due to overdue payment'],
    ['funds', 'Your free trial has expired'],
    ['funds', '预扣费额度失败, 用户剩余额度: ¥0.230000, 需要预扣费额度: ¥0.290000'],
    ['funds', 'token quota is not enough, token remain quota: ¥0.10, need quota: ¥0.20'],
    ['funds', '订阅额度不足或未配置订阅'],
    ['funds', '您的账号余额为负，请及时充值'],
    ['funds', '您的账户可用额度为0'],
    ['funds', 'API 调用额度已达上限'],
    ['funds', '套餐已过期，请续费'],
    ['funds', '积分不足'],
    ['funds', '当前账户已停用'],
    ['funds', 'Credit limit exceeded, please [add credits](https://api.together.ai/settings/billing).'],
    ['funds', 'Your project has exceeded its monthly spending cap. Please go to AI Studio to raise it.'],
    [
      'funds',
      "You've reached your usage limit for this billing cycle. Your quota will be refreshed in the next cycle.",
    ],
    ['funds', "You've reached your usage limit. Your quota will reset when the current 5-hour window ends."],
    ['key', 'Your API key was reported as leaked. Please use another API key.'],
    ['key', "Permission denied: Consumer 'api_key:AIza…' has been suspended."],
    ['key', 'Organization has been restricted. Please reach out to support.'],
    ['key', '鉴权失败'],
    ['key', 'API密钥无效'],
    ['key', 'API key not valid. Please pass a valid API key.'],
    ['key', 'Incorrect API key provided: sk-…'],
    ['key', 'Invalid API-key provided.'],
    ['key', 'Authentication Fails (no such user)'],
    ['key', '身份验证失败。'],
    ['key', '无效的 API Key'],
    ['key', 'API Key 已失效'],
    ['key', "login fail: Please carry the API secret key in the 'Authorization' field"],
    ['key', '无效的令牌'],
    ['key', 'Access denied due to invalid subscription key or wrong API endpoint.'],
    ['key', 'invalid x-api-key'],
    ['model', 'The model `x` does not exist'],
    ['model', 'Publisher Model `projects/p/locations/x/publishers/google/models/y` was not found'],
    ['model', 'The model or endpoint ep-2024 does not exist or you do not have access to it.'],
    ['model', "The model 'x' doesn't exist, or you don't have access"],
    ['model', 'Model Not Exist'],
    ['model', 'The model `x` has been decommissioned and is no longer supported.'],
    ['model', 'Project `proj_x` does not have access to model `x`'],
    ['model', '该模型已下线'],
    ['model', '您无权访问该模型'],
    ['model', '当前分组无可用账号'],
    ['model', '模型不存在，请检查模型代码。'],
    ['model', '当前分组 default 下对于模型 x 无可用渠道'],
    ['model', 'x is not a valid model ID'],
    ['model', 'No endpoints found for x'],
    ['model', 'The provided model identifier is invalid.'],
    ['model', 'Not found the model x or Permission denied'],
    ['key', 'Invalid bearer token'],
    ['key', 'OAuth token has expired. Please obtain a new token or refresh your existing token.'],
    [
      'model',
      'Invocation of model ID anthropic.x with on-demand throughput isn’t supported. Retry your request with the ID or ARN of an inference profile that contains this model.',
    ],
    ['model', 'This model version has reached the end of its life.'],
    [
      'model',
      'Access denied. This Model is marked by provider as Legacy and you have not been actively using the model in the last 30 days.',
    ],
    ['model', "The model `x` isn't supported on this route"],
    ['model', 'Your account 1 has not activated the model x.'],
    ['model', '当前订阅套餐暂未开放 GLM-5.3 权限'],
    ['funds', '您的 GLM Coding Plan 套餐已到期，暂无法使用，前往官方续订后即可恢复'],
  ])('a refusal about %s is understood: %s', (topic, text) => {
    expect(topicOf(text)).toBe(topic)
  })

  test.each([
    'Invalid value for temperature',
    'prompt is too long: 210000 tokens > 200000 maximum',
    "This model's maximum context length is 8192 tokens",
    'messages: at least one message is required',
    '输入内容包含敏感信息',
    'max_tokens is too large',
    'The image is too large',
    'tools[0].function.name: invalid characters',
    '参数错误：temperature 超出范围',
    'The balance between creativity and accuracy must be a number',
    '`temperature` is deprecated for this model.',
    'messages: the plan has to be a text',
    '次数必须是整数',
    'The credit for this picture is missing',
    'The prompt has reached the limit of 4096 tokens',
    '账号信息不能出现在提示词中',
    'Your input exceeded your limit of 4096 tokens',
    '图片下载失败',
    '参数 max_tokens 用量超过上限',
    'Parameter `n` is no longer supported',
    '令牌数超出模型的上限',
  ])('a refusal about the request is left to the caller: %s', (text) => {
    expect(topicOf(text)).toBeNull()
  })

  /** What each vendor that sells calls is known to say, where others do not say it above. */
  const sayings: Readonly<Record<string, Partial<Record<RefusalTopic, string>>>> = {
    ai360: { funds: '账户余额不足', key: 'API Key 无效', model: '模型不存在' },
    aiproxy: { key: 'Invalid API key' },
    anthropic: { funds: 'Your credit balance is too low to access the Anthropic API.', key: 'invalid x-api-key' },
    azure: {
      funds: 'This subscription is disabled and therefore marked as read only.',
      key: 'Access denied due to invalid subscription key or wrong API endpoint.',
      model: 'The API deployment for this resource does not exist.',
    },
    baidu: { funds: 'Open api daily request limit reached', key: 'Access token invalid or no longer valid' },
    bedrock: {
      key: 'The security token included in the request is invalid.',
      model: 'The provided model identifier is invalid.',
    },
    cloudflare: {
      funds:
        'you have used up your daily free allocation of 10,000 neurons, please upgrade to Cloudflare’s Workers Paid plan if you would like to continue usage.',
      key: 'Authentication error',
      model: 'No such model @cf/meta/x or task',
    },
    cohere: { key: 'invalid api token', model: "model 'x' not found, make sure the correct model ID was used" },
    coze: {
      funds: 'Your quota for free usage has been used up.',
      key: 'authentication is invalid',
      model: 'The bot_id 7 has not been published to the channel Agent As API.',
    },
    custom: { funds: 'user quota is not enough', key: '无效的令牌', model: '当前分组 default 下对于模型 x 无可用渠道' },
    dashscope: {
      funds: 'Access denied, please make sure your account is in good standing.',
      key: 'Invalid API-key provided.',
      model: 'Model not exist.',
    },
    deepseek: { funds: 'Insufficient Balance', key: 'Authentication Fails (no such user)', model: 'Model Not Exist' },
    dify: { funds: 'Your quota for Dify Hosted OpenAI has been exhausted.', key: 'Access token is invalid' },
    fastgpt: { funds: '账号余额不足', key: 'Api Key is invalid' },
    gemini: {
      funds: 'Your prepayment credits are depleted.',
      key: 'Your API key was reported as leaked. Please use another API key.',
      model: 'models/x is not found for API version v1beta, or is not supported for generateContent.',
    },
    github: { key: 'Bad credentials', model: 'Unknown model: x' },
    iflytek: { funds: 'AppIdNoAuthError: licc failed', key: 'HMAC signature does not match' },
    jimeng: { funds: '账户已欠费' },
    jina: { funds: 'Account balance not enough to run this query, please recharge.', key: 'Invalid API key' },
    kling: { funds: 'Resource pack depleted or expired', key: 'Access key not found: invalid access key' },
    lingyiwanwu: { funds: 'Insufficient balance', key: 'Incorrect API key provided' },
    minimax: {
      funds: 'insufficient balance',
      key: "login fail: Please carry the API secret key in the 'Authorization' field",
      model: 'invalid params, unknown model',
    },
    mistral: { funds: 'Inactive subscription or usage limit reached', model: 'Invalid model: x' },
    moka: { key: '无效的 API Key' },
    moonshot: {
      funds: 'Your account org-x is suspended, please check your plan and billing details',
      key: 'Invalid Authentication',
      model: 'Not found the model x or Permission denied',
    },
    ollama: {
      funds: 'you (ada) have reached your weekly usage limit, upgrade for higher limits: https://ollama.com/upgrade',
      model: 'model "x" not found, try pulling it first',
    },
    openai: {
      funds: 'You exceeded your current quota, please check your plan and billing details.',
      key: 'Incorrect API key provided: sk-…',
      model: 'The model `x` does not exist or you do not have access to it.',
    },
    openrouter: {
      funds: 'This request requires more credits, or fewer max_tokens.',
      key: 'No auth credentials found',
      model: 'x is not a valid model ID',
    },
    palm: { key: 'API key not valid. Please pass a valid API key.' },
    qianfan: { funds: 'Your account is overdue.', key: 'invalid_iam_token' },
    siliconflow: {
      funds: 'Sorry, your account balance is insufficient',
      key: 'Api key is invalid',
      model: 'Model disabled.',
    },
    tencent: { funds: '资源包余量已用尽', key: 'The SecretId is not found', model: '服务未开通' },
    vertex: {
      funds: 'This API method requires billing to be enabled.',
      model: 'Publisher Model `projects/p/locations/x/publishers/google/models/y` was not found',
    },
    vidu: { funds: 'CreditInsufficient' },
    volcengine: {
      funds: 'The request failed because your account has an overdue balance.',
      key: 'The API key or AK/SK in the request is missing or invalid. Request ID: 1',
      model: 'The request targeted an endpoint that is currently closed or temporarily unavailable.',
    },
    xai: {
      funds: 'Your team has either used all available credits or reached its monthly spending limit.',
      key: 'Incorrect API key provided: xai-…',
      model: 'The model x does not exist or your team does not have access to it.',
    },
    xinference: { model: 'Model not found in the model list, uid: x' },
    zhipu: { funds: '余额不足或无可用资源包,请充值。', key: '身份验证失败。', model: '模型不存在，请检查模型代码。' },
  }

  test('every vendor has sentences, and each is understood', () => {
    const tasksAlone = new Set(['midjourney', 'midjourney-plus', 'suno'])
    expect(Object.keys(sayings)).toEqual(
      expect.arrayContaining(providers.map(({ id }) => id).filter((id) => !tasksAlone.has(id))),
    )
    const misread = Object.entries(sayings).flatMap(([id, refusals]) =>
      Object.entries(refusals)
        .filter(([topic, text]) => topicOf(text) !== topic)
        .map(([topic, text]) => [id, topic, text]),
    )
    expect(misread).toEqual([])
  })

  test('every list of words belongs to a vendor that exists', () => {
    const ids = new Set(providers.map(({ id }) => id))
    expect(Object.keys(refusalWords).filter((id) => id !== 'common' && !ids.has(id))).toEqual([])
  })
})

describe('the words of an upstream that only streams', () => {
  const isStreamOnly = (text: string) => isStreamOnlyRefusal((pattern) => pattern.test(text))

  test.each([
    'This model only support stream mode, please enable the stream parameter to access the model. ',
    'parameter.enable_thinking must be set to false for non-streaming calls',
    '<400> InternalError.Algo.InvalidParameter: This model does not support non-streaming output.',
    'Stream must be set to true',
    "'stream' must be true",
    'Only stream mode is supported',
    'Only streaming requests are supported for this model.',
    'This endpoint only supports streaming responses',
    'Requests with max_tokens > 5120 must have stream=true',
    'Streaming is required for operations that may take longer than 10 minutes.',
    'Streaming is strongly recommended for operations that may take longer than 10 minutes.',
    'Non-streaming requests are not supported, please set stream to true',
    'Non-stream mode is not supported',
    '该模型仅支持流式输出，请设置 stream=true',
    '当前模型不支持非流式调用',
    '请使用流式调用',
  ])('a refusal of a call in one piece is understood: %s', (text) => {
    expect(isStreamOnly(text)).toBe(true)
  })

  test.each([
    'Streaming is not supported for this model',
    'stream must be false',
    'stream_options should be set along with stream = true',
    "The 'stream_options' parameter is only allowed when 'stream' is enabled",
    'This model only supports non-streaming calls',
    'Please set stream to false',
    '该模型不支持流式输出',
    '该模型仅支持非流式调用',
    'Invalid value for temperature',
    'only supports strict tools',
  ])('another refusal is not taken for one: %s', (text) => {
    expect(isStreamOnly(text)).toBe(false)
  })
})

describe('a phrase behind another one', () => {
  const pattern = matchSequence(/\bmodel\b/gi, 20, /\bnot found\b/i)

  test.each([
    ['The model x was not found', true],
    ['model a, model b, and Model c is not found', true],
    ['model not found', true],
    [`model${' '.repeat(20)}not found`, true],
    [`model${' '.repeat(21)}not found`, false],
    ['not found: the model', false],
    ['model\nnot found', false],
    ['模型 model 有误。not found', false],
    [`model ${'x'.repeat(200)} not found`, false],
    ['', false],
  ])('a phrase is found behind another one in %j: %p', (text, isFound) => {
    expect(pattern.test(text)).toBe(isFound)
    // A pattern that remembers its place would fail the second time.
    expect(pattern.test(text)).toBe(isFound)
  })
})
