import { describe, expect, test } from 'bun:test'

import { hashOf, readHead } from './head-code'

const noSources: readonly string[] = []

describe('HTML for the head', () => {
  test.each([
    ['<script>\r\nrun()</script> <meta name="x" content="a">', { scripts: [hashOf('\nrun()')] }],
    [
      '<script>a < b && "<div onload=x>"</script><script>second</script>',
      { scripts: [hashOf('a < b && "<div onload=x>"'), hashOf('second')] },
    ],
    [
      '<script src="https://a.test/x.js?k=1&amp;l=2" async></script>',
      { scripts: ['https://a.test'], connections: ['https://a.test'] },
    ],
    ['<script src="//a.test:8443/x.js"></script>', { scripts: ['a.test:8443'], connections: ['a.test:8443'] }],
    ['<script src="/own.js"></script><link rel="stylesheet" href="own.css"><script src=""></script>', {}],
    ['<link rel="stylesheet" href="https://fonts.test/css2?family=A">', { styles: ['https://fonts.test'] }],
    ['<link rel="PRECONNECT" href="https://b.test">', { connections: ['https://b.test'] }],
    [
      '<link rel="preload" as="script" href="https://c.test/x.js"><link rel="modulepreload" href="https://d.test/y.js">',
      { scripts: ['https://c.test', 'https://d.test'] },
    ],
    ['<link rel="icon" href="https://e.test/i.png"><link rel="preload" as="image" href="https://e.test/i.png">', {}],
    ['<!-- <div> --> <noscript><img src="https://f.test/p.gif"></noscript><style>a > b { }</style>', {}],
  ])('%s is allowed by what it needs', (html, sources) => {
    const {
      scripts = noSources,
      styles = noSources,
      connections = noSources,
    }: { [Kind in 'scripts' | 'styles' | 'connections']?: readonly string[] } = sources
    expect(readHead(html)).toMatchObject({ fault: null, sources: { scripts, styles, connections } })
  })

  test('fonts are allowed from the hosts of styles and connections', () => {
    const html = '<link rel="stylesheet" href="https://a.test/s.css"><link rel="preconnect" href="https://b.test">'
    expect(readHead(html).sources.fonts).toEqual(['https://a.test', 'https://b.test'])
  })

  test.each([
    ['<div>', 'reason.head_tag', { tag: 'div' }],
    ['<base href="https://a.test">', 'reason.head_tag', { tag: 'base' }],
    ['<link rel="stylesheet" href="/a.css" media="print" onload="x">', 'reason.head_handler', { name: 'onload' }],
    ['<script src="javascript:alert(1)"></script>', 'reason.head_address', { address: 'javascript:alert(1)' }],
    ['<script src="data:text/javascript,1"></script>', 'reason.head_address', { address: 'data:text/javascript,1' }],
    [
      '<script src="https://a;script-src\'unsafe-eval\'/x"></script>',
      'reason.head_address',
      { address: "https://a;script-src'unsafe-eval'/x" },
    ],
    ['<link rel="stylesheet" href="https://*.test/a.css">', 'reason.head_address', { address: 'https://*.test/a.css' }],
    ['<script>run()', 'reason.head_unclosed', {}],
    ['<!-- forgotten', 'reason.head_unclosed', {}],
    ['<meta content="forgotten>', 'reason.head_unclosed', {}],
    ['<style>a {}', 'reason.head_unclosed', {}],
    ['<meta name="a"> words', 'reason.head_text', {}],
  ])('code for the head of the page like %s is refused', (html, code, params) => {
    expect(readHead(html).fault).toEqual({ code, params } as never)
  })
})
