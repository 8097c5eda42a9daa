/** An environment without that of this process. What a program asks of the internet is refused at once. */
export const closedEnvironment = (home: string): Readonly<Record<string, string | undefined>> => ({
  PATH: process.env['PATH'],
  HOME: home,
  TMPDIR: home,
  TERM: 'dumb',
  NO_COLOR: '1',
  HTTPS_PROXY: 'http://127.0.0.1:9',
  NO_PROXY: '127.0.0.1,localhost',
})
