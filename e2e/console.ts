/** A signed-in caller of the console API, as the console itself makes its calls. */
export class Console {
  #cookie = ''
  #userId = 0

  constructor(private readonly url: string) {}

  get userId(): number {
    return this.#userId
  }

  /** Make the first administrator of an empty gateway. */
  async setUp(username: string, password: string): Promise<void> {
    await this.post('/api/setup', {
      username,
      password,
      confirmPassword: password,
      SelfUseModeEnabled: false,
      DemoSiteEnabled: false,
    })
  }

  async logIn(username: string, password: string): Promise<void> {
    const answer = await this.#send('POST', '/api/user/login', { username, password })
    this.#cookie = answer.headers
      .getSetCookie()
      .map((cookie) => cookie.split(';', 1)[0])
      .join('; ')
    this.#userId = (await dataOf<{ id: number }>(answer)).id
  }

  async get<Data = unknown>(path: string): Promise<Data> {
    return dataOf<Data>(await this.#send('GET', path))
  }

  async post<Data = unknown>(path: string, body: unknown): Promise<Data> {
    return dataOf<Data>(await this.#send('POST', path, body))
  }

  async put<Data = unknown>(path: string, body: unknown): Promise<Data> {
    return dataOf<Data>(await this.#send('PUT', path, body))
  }

  /** Set options; what is no text is written as JSON. */
  async setOptions(options: Readonly<Record<string, unknown>>): Promise<void> {
    const items = Object.entries(options).map(([key, value]) => ({
      key,
      value: typeof value === 'string' ? value : JSON.stringify(value),
    }))
    await this.put('/api/option/batch', { items })
  }

  #send(method: string, path: string, body?: unknown): Promise<Response> {
    return fetch(this.url + path, {
      method,
      headers: {
        'content-type': 'application/json',
        'accept-language': 'en',
        ...(this.#cookie ? { cookie: this.#cookie, 'tollgate-user': String(this.#userId) } : {}),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
  }
}

interface Answer<Data> {
  success: boolean
  message: string
  data: Data
}

async function dataOf<Data>(response: Response): Promise<Data> {
  const text = await response.text()
  const answer = JSON.parse(text) as Answer<Data>
  if (!answer.success) throw new Error(`${response.url} answered ${response.status}: ${text}`)
  return answer.data
}
