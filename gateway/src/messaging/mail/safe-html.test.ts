import { describe, expect, test } from 'bun:test'

import * as fc from 'fast-check'

import { mailBody } from './prepare-mail'
import { safeHtml } from './safe-html'

const cases: readonly (readonly [string, string, string])[] = [
  ['handlers, classes and styles', '<p onclick=a class="x" style="position:fixed">hi</p>', '<p>hi</p>'],
  ['scripts with what stands in them', 'a<script>if(a<b)alert("</p>")</script>b', 'ab'],
  ['a script that never ends, with the rest', 'a<script>alert(1) <b>x', 'a'],
  ['style sheets', '<style>p{display:none}</style>a', 'a'],
  ['drawings and formulas', '<svg><style><a title="</style><img src=x onerror=1>">q</svg><math><mi>x</math>a', 'a'],
  ['forms, whose words stay', '<form action="https://e.com"><input value=1>name<button>go</button></form>', 'name'],
  ['frames', '<iframe src="https://e.com">x</iframe>a', 'a'],
  ['links that run code', '<a href="javascript:alert(1)">a</a><a href=" java&#115;cript:x">b</a>', '<a>a</a><a>b</a>'],
  ['links by data', '<a href="data:text/html,x">a</a>', '<a>a</a>'],
  ['addresses that leave their attribute', '<a href=\'https://e.com/"onclick="x\'>a</a>', '<a>a</a>'],
  ['text that looks like a tag', '<scr<script>x</script>ipt>alert(1)', 'xipt&gt;alert(1)'],
  ['comments', '<!-- <b> -->a<!--><img src=x>-->', 'a--&gt;'],
  ['unknown tags, whose words stay', '<font color=red>a</font><blink>b</blink>', 'ab'],
]

describe('the HTML of a mail', () => {
  test.each(cases)('safe HTML has no %s', (_what, source, html) => {
    expect(safeHtml(source).html).toBe(html)
  })

  test('safe HTML keeps words, lists, tables and links, and closes what was left open', () => {
    const source = '<h2>Hi</h2><ul><li><b>one</ul><a href="https://e.com/?a=1&amp;b=2">two'
    expect(safeHtml(source)).toEqual({
      html: '<h2>Hi</h2><ul><li><b>one</b></li></ul><a href="https://e.com/?a=1&amp;b=2">two</a>',
      text: 'Hi\n\n- one\n\ntwo (https://e.com/?a=1&b=2)',
    })
  })

  test('safe HTML links to images instead of loading them', () => {
    const { html, text } = safeHtml('<img src="https://e.com/x.png" alt="a <b>"><img src="x.png" alt="own">')
    expect(html).toBe('<a href="https://e.com/x.png">a &lt;b&gt;</a>own')
    expect(text).toBe('a <b> (https://e.com/x.png)own')
  })

  test('safe HTML has no tags except the kept ones, whatever the input', () => {
    const pieces = [
      `< > / " ' = !-- --> &lt; a script svg style img onerror href javascript: <p> </p> <textarea> <![CDATA[ ]]> <plaintext>`,
      '<a_href="https://e.com/',
    ].flatMap((words) => words.split(' '))
    const piece = fc.constantFrom(' ', ...pieces.map((word) => word.replace('_', ' ')))
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (written) => {
        const { html } = safeHtml(written.join(''))
        const rest = html.replace(/<\/?(?:p|a|b|br|s)>|<a href="(?:https?:\/\/|mailto:)[^\s"'<>`]+">/g, '')
        expect(rest).not.toMatch(/[<>]/)
      }),
      { numRuns: 2000 },
    )
  })

  test('the HTML of Markdown has the source as its text', () => {
    const body = mailBody('# Hi\n\n- **a**\n\n<b onclick=x>raw</b> ![p](https://e.com/p.png)', 'markdown')
    expect(body.html).toBe(
      '<h1>Hi</h1>\n<ul>\n<li><strong>a</strong></li>\n</ul>\n<p><b>raw</b> <a href="https://e.com/p.png">p</a></p>',
    )
    expect(body.text).toStartWith('# Hi\n\n- **a**')
  })
})
