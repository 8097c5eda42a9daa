import * as z from 'zod'

import { asTable, json, numberTable, table, tableOf, type Table } from './json'
import { choice, decimal, flag, secret, text, whole } from './option'
import { routingRules, type RoutingRule } from './strategies'
import { lines, pattern, statusRanges, webAddress, type StatusRange } from './texts'

/** All calls and successful calls in a period; 0 for all calls means no limit. */
type GroupLimit = readonly [total: number, success: number]
const GroupLimit = (): z.ZodType<GroupLimit> => z.tuple([z.number().int().min(0), z.number().int().min(1)])

/** Something that the operator made in the account of a channel. */
export interface OfferedObject {
  /** `*`: everything that no user made. */
  readonly id: string
  readonly channel: number
  /** Another name for it, under which several channels may each have their own. */
  readonly name?: string
  /** Separated by commas; empty: all. */
  readonly groups?: string
}

const offeredObjects = (): z.ZodType<readonly OfferedObject[]> =>
  z
    .array(
      z.strictObject({
        id: z.string().trim().min(1).max(512),
        channel: z.int().min(1),
        name: z.string().trim().max(512).optional(),
        groups: z.string().trim().max(2048).optional(),
      }),
    )
    .max(1000)

/** Everything except 400, which concerns the request. Another channel may have the model, the key or the time that one lacks. */
const retried: readonly StatusRange[] = [
  { from: 100, to: 199 },
  { from: 300, to: 399 },
  { from: 401, to: 599 },
]

/** Phrases of vendors for a key that will not recover by itself. */
const fatalPhrases = [
  'your credit balance is too low',
  'this organization has been disabled',
  'you exceeded your current quota',
  'permission denied',
  'the security token included in the request is invalid',
  'operation not allowed',
  'your account is not authorized',
]

/** Thirty days. */
const maxCachedMinutes = 43_200

/** The longest file that a site can allow. */
export const maxFileMegabytes = 1024

/** How calls are relayed, limited, monitored and logged. */
export const operationOptions = {
  RetryTimes: whole('relay', 3, { max: 20 }),
  AutomaticRetryStatusCodes: statusRanges('relay', retried),
  /** Which answers without any output are failures. `unused`: those that report no token at all. */
  EmptyAnswers: choice('relay', ['unused', 'empty', 'none']),
  /** How channels of one priority level are chosen, by group and model; the first line that fits counts, and by weight where none does. */
  RoutingStrategies: asTable(json<readonly RoutingRule[]>('relay', [], routingRules), 'strategy', 'group'),
  'global.pass_through_request_enabled': flag('relay', false),
  /** Prompts, files, vector stores and the like that users may name though none of them made it. */
  VendorObjects: asTable(json<readonly OfferedObject[]>('relay', [], offeredObjects), 'object', 'object'),
  /** Vendors keep responses for about as long. */
  VendorObjectDays: whole('relay', 30, { min: 1, max: 3650 }),
  /** Turns of the Responses API are kept, sealed, unless a call says otherwise. */
  ResponseTurnsEnabled: flag('relay', true),
  /** After their last use. */
  ResponseTurnDays: whole('relay', 7, { min: 1, max: 3650 }),
  ResponseTurnKilobytes: whole('relay', 8192, { min: 1, max: 1_000_000 }),
  /** For each user. */
  ResponseTurnUserMegabytes: whole('relay', 128, { min: 1, max: 1_000_000 }),
  'general_setting.ping_interval_enabled': flag('relay', false),
  'general_setting.ping_interval_seconds': whole('relay', 60, { min: 1, max: 3600, unit: 'seconds' }),

  ModelRequestRateLimitEnabled: flag('rate-limit', false),
  ModelRequestRateLimitDurationMinutes: whole('rate-limit', 1, { min: 1, max: 44_640, unit: 'minutes' }),
  /** 0: no limit. */
  ModelRequestRateLimitCount: whole('rate-limit', 0, { unit: 'calls' }),
  ModelRequestRateLimitSuccessCount: whole('rate-limit', 1000, { min: 1, unit: 'calls' }),
  ModelRequestRateLimitGroup: asTable(
    json<Table<GroupLimit>>('rate-limit', table({}), () => tableOf(GroupLimit())),
    'limits',
    'known-group',
  ),

  /** 0: no limit. */
  RealtimeUserSessions: whole('realtime', 20, { max: 10_000 }),
  RealtimeTokenSessions: whole('realtime', 0, { max: 10_000 }),
  RealtimeIdleMinutes: whole('realtime', 15, { min: 1, max: 1440, unit: 'minutes' }),
  RealtimeSessionMinutes: whole('realtime', 60, { min: 1, max: 1440, unit: 'minutes' }),

  ResponseCacheEnabled: flag('response-cache', false),
  /** Groups whose keys use the cache unless they say otherwise, and for how many minutes a response is stored. */
  ResponseCacheGroups: numberTable('response-cache', 'known-group', table({}), () =>
    tableOf(z.number().int().min(1).max(maxCachedMinutes)),
  ),
  /** For keys that switch it on in other groups. */
  ResponseCacheMinutes: whole('response-cache', 60, { min: 1, max: maxCachedMinutes, unit: 'minutes' }),
  /** A hit costs the price of the response times this. */
  ResponseCachePriceFactor: decimal('response-cache', 0, { max: 1, grant: 'prices.write' }),
  /** Users get one another's responses. */
  ResponseCacheShared: flag('response-cache', false, { grant: 'settings.secure' }),
  /** Calls with tools that the vendor runs take part. */
  ResponseCacheTools: flag('response-cache', false),
  ResponseCacheKilobytes: whole('response-cache', 256, { min: 1, max: 16_384 }),
  /** For each worker; in Redis for all together. */
  ResponseCacheMegabytes: whole('response-cache', 64, { min: 1, max: 1_000_000 }),

  /** Which service searches the web for models that do not do so themselves. */
  WebSearchService: choice('web-search', ['off', 'searxng', 'tavily', 'brave', 'serper'], {
    prerequisite: {
      value: 'searxng',
      needs: ['WebSearchUrl'],
      feature: { en: 'SearXNG', zh: 'SearXNG' },
      needed: { en: 'the address of the service', zh: '服务地址' },
    },
  }),
  /** Empty: the service's own. */
  WebSearchUrl: webAddress('web-search'),
  WebSearchKey: secret('web-search'),
  /** The price of a thousand searches. */
  WebSearchPrice: decimal('web-search', 10, { max: 1_000_000, unit: 'usd', grant: 'prices.write' }),
  /** For one call, which may limit them further. */
  WebSearchMaxUses: whole('web-search', 5, { min: 1, max: 20 }),
  WebSearchSeconds: whole('web-search', 10, { min: 1, max: 60, unit: 'seconds' }),

  CheckSensitiveEnabled: flag('sensitive-words', true),
  CheckSensitiveOnPromptEnabled: flag('sensitive-words', true),
  /** One word per line; `regex:` starts a pattern. */
  SensitiveWords: lines('sensitive-words', ['test_sensitive']),

  /** When off, calls that cost money leave no row. */
  LogConsumeEnabled: flag('logs', true, { grant: 'settings.secure' }),
  LogChatContentEnabled: flag('logs', false, { isPublic: true }),
  /** Sites of releases that left no rows of errors keep that: a step of the schema stores it. */
  LogErrorEnabled: flag('logs', true),
  /** 0: for ever, as of the other two. Who shortens a log could hide something in it. */
  LogRetentionDays: whole('logs', 0, { max: 36_500, grant: 'settings.secure' }),
  SumsRetentionMonths: whole('logs', 0, { max: 1200, grant: 'settings.secure' }),
  AuditRetentionMonths: whole('logs', 0, { max: 1200, grant: 'settings.secure' }),
  /** Each day, after its end. */
  LogExportFormat: choice('logs', ['off', 'csv', 'parquet', 'both'], { grant: 'settings.secure' }),
  LogExportStorage: choice('logs', ['folder', 'bucket'], { grant: 'settings.secure' }),

  DataExportEnabled: flag('dashboard', true, { isPublic: true }),
  DataExportInterval: whole('dashboard', 5, { min: 1, max: 44_640, unit: 'minutes', isPublic: true }),
  DataExportDefaultTime: choice('dashboard', ['hour', 'day', 'week'], { isPublic: true }),

  DrawingEnabled: flag('drawing', true, { isPublic: true }),
  TaskEnabled: flag('drawing', true, { isPublic: true }),
  MjNotifyEnabled: flag('drawing', false, { isPublic: true }),
  MjAccountFilterEnabled: flag('drawing', false),
  MjModeClearEnabled: flag('drawing', false),
  MjForwardUrlEnabled: flag('drawing', true),
  MjActionCheckSuccessEnabled: flag('drawing', true),
  /** Where results of finished tasks are. */
  TaskResultStorage: choice('drawing', ['provider', 'folder', 'bucket'], {
    prerequisite: {
      value: 'bucket',
      needs: ['TaskBucketEndpoint', 'TaskBucketName', 'TaskBucketKeyId', 'TaskBucketSecret'],
      feature: { en: 'the bucket', zh: '存储桶' },
      needed: { en: 'its endpoint, name, key ID and secret', zh: '接入地址、名称、密钥 ID 和密钥' },
    },
  }),
  TaskResultDays: whole('drawing', 30, { min: 1, max: 3650 }),
  /** Larger results stay at the provider. */
  TaskResultMegabytes: whole('drawing', 200, { min: 1, max: 10_000 }),
  /** Images and responses that are made in the background; 0: no limit. */
  BackgroundUserCalls: whole('drawing', 20, { max: 10_000 }),
  BackgroundTokenCalls: whole('drawing', 0, { max: 10_000 }),
  BackgroundResultHours: whole('drawing', 72, { min: 1, max: 8760 }),

  FilesEnabled: flag('files', true),
  FileMegabytes: whole('files', 200, { min: 1, max: maxFileMegabytes }),
  /** All files of a user together. */
  FileUserMegabytes: whole('files', 2000, { min: 1, max: 10_000_000 }),
  FileDays: whole('files', 30, { min: 1, max: 3650 }),
  BatchesEnabled: flag('files', true),
  /** Vendors that have batches run those of users. */
  BatchesAtVendors: flag('files', true),
  BatchMaxLines: whole('files', 50_000, { min: 1, max: 1_000_000 }),
  /** Batches of one user that have not ended. */
  BatchUserBatches: whole('files', 20, { min: 1, max: 10_000 }),
  /** Calls of one batch that are made at the same time. */
  BatchLinesAtOnce: whole('files', 4, { min: 1, max: 256 }),
  /** A factor on the price that the same call has alone. */
  BatchPriceFactor: decimal('files', 1, { max: 1, grant: 'prices.write' }),

  /** An S3-compatible storage. */
  TaskBucketEndpoint: webAddress('bucket'),
  TaskBucketRegion: pattern('bucket', 'us-east-1', /^[a-z\d-]{1,64}$/i, 'reason.region'),
  TaskBucketName: pattern('bucket', '', /^(?:[a-z\d][\w.-]{1,61}[a-z\d])?$/i, 'reason.bucket'),
  /** Whether the bucket is part of the path or of the host. */
  TaskBucketStyle: choice('bucket', ['path', 'host']),
  TaskBucketPrefix: pattern('bucket', 'task-results', /^(?:[\w-]+(?:[./][\w-]+)*)?$/, 'reason.prefix'),
  TaskBucketKeyId: text('bucket', '', { max: 256 }),
  TaskBucketSecret: secret('bucket'),

  'monitor_setting.auto_test_channel_enabled': flag('channel-tests', false),
  'monitor_setting.auto_test_channel_minutes': whole('channel-tests', 10, { min: 1, max: 44_640, unit: 'minutes' }),
  /** How long a channel test may take; 0: any time. */
  ChannelDisableThreshold: decimal('channel-tests', 5, { unit: 'seconds' }),

  AutomaticDisableChannelEnabled: flag('monitoring', false),
  AutomaticEnableChannelEnabled: flag('monitoring', false),
  AutomaticDisableKeywords: lines('monitoring', fatalPhrases),
  AutomaticDisableStatusCodes: statusRanges('monitoring', [{ from: 401, to: 401 }]),

  BackupSchedule: choice('backups', ['off', 'daily', 'weekly']),
  /** The hour of the day in the site's time zone. */
  BackupHour: whole('backups', 3, { max: 23 }),
  BackupKeep: whole('backups', 7, { min: 1, max: 365 }),
}
