import {
  channelRoutes,
  createClient,
  optionRoutes,
  sessionRoutes,
  setupRoutes,
  tokenRoutes,
  type Client,
  type Route,
  type RouteResult,
  type RouteSent,
} from '@tollgate/contract'

export interface Account {
  readonly username: string
  readonly password: string
}

type ChannelFields = RouteSent<typeof channelRoutes.createChannel>['body']
type TokenFields = RouteSent<typeof tokenRoutes.createToken>['body']

/** A signed-in client of the console API. */
export class Console {
  private constructor(
    private readonly client: Client,
    readonly userId: number,
  ) {}

  /** Creates the first administrator of an empty gateway and signs in. */
  static async setUp(url: string, account: Account): Promise<Console> {
    const body = { ...account, confirmPassword: account.password }
    await createClient({ baseUrl: url, language: 'en' }).call(setupRoutes.setUp, { body })
    return Console.signIn(url, account)
  }

  static async signIn(url: string, account: Account): Promise<Console> {
    let cookie = ''
    const client = createClient({
      baseUrl: url,
      language: 'en',
      async fetch(request) {
        const response = await fetch(request)
        cookie = response.headers
          .getSetCookie()
          .map((set) => set.split(';', 1)[0])
          .join('; ')
        return response
      },
    })
    const { id } = await client.call(sessionRoutes.logIn, { body: account })
    return new Console(createClient({ baseUrl: url, language: 'en', userId: id, cookie }), id)
  }

  call<R extends Route>(route: R, input?: RouteSent<R>): Promise<RouteResult<R>> {
    return this.client.call(route, input)
  }

  /** Sets options; values that are not text are written as JSON. */
  async setOptions(options: Readonly<Record<string, unknown>>): Promise<void> {
    const items = Object.entries(options).map(([key, value]) => ({
      key,
      value: typeof value === 'string' ? value : JSON.stringify(value),
    }))
    await this.call(optionRoutes.setOptions, { body: { items } })
  }

  /** Adds a channel of the plain OpenAI kind, or as `fields` say. Returns its id. */
  async addChannel(fields: ChannelFields): Promise<number> {
    const body = { type: 1, key: 'sk-upstream', group: 'default', ...fields }
    return (await this.call(channelRoutes.createChannel, { body })).id
  }

  /** Creates an unlimited token, or as `fields` say. Returns its key with `sk-`. */
  async addToken(fields: TokenFields): Promise<string> {
    const body = { unlimited_quota: true, expired_time: -1, ...fields }
    return `sk-${(await this.call(tokenRoutes.createToken, { body })).key}`
  }
}
