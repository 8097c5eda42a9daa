/**
 * Patterns that the checker does not find linear, each with the reason why it may stay: what bounds the text it runs on, or why it is
 * linear all the same.
 */
export const exempt: Readonly<Record<string, string>> = {
  '/0+$/': 'the twelve decimal places of a number',
  [String.raw`/\.?0+$/`]: 'a formatted number',
  [String.raw`/(?<![\w.-])[a-z0-9-]+(?:\.[a-z0-9-]+)+:\d{2,5}\b/gi`]:
    'linear: a run of names is tried once; and masks 4,000 characters',
  [String.raw`/\binsufficient (?:\w+ )?(?:balance|credits?|funds|quota)\b/i`]:
    'linear: looks at one word behind each “insufficient”; the checker does not end on a busy machine',
  [String.raw`/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/gi`]: 'the page that the build made',
  [String.raw`/(?<!\/)\/+$/`]: 'linear: a run of slashes is tried once, from its beginning',
  [String.raw`/(?<!\s)\s*--(?:fast|relax|turbo)(?![\w-])/gi`]:
    'linear: a run of spaces is tried once, from its beginning',
  [String.raw`/(?<!\w)([*_])(?=\S)([^*_\n]+)(?<=\S)\1(?!\w)/g`]: 'linear: each mark looks no further than the next one',
  [String.raw`/(\b(?:key|token|secret)[^\w\n]{1,8})[\w-]{2,16}\.\.[\w.-]{2,20}/gi`]:
    'linear: looks at 26 characters behind each word; and masks 4,000 characters',
  [String.raw`/\bgh[a-z]_[\w*]{10,}|\bgithub_pat_[\w*]{10,}/g`]:
    'linear: whatever has ten characters matches to its end',
  [String.raw`/(?<![\w:])\[?(?:[\da-f]{1,4}(?::[\da-f]{1,4}){0,6})?::(?:[\da-f]{1,4}:){0,6}[\da-f]{1,4}\]?(?::\d{1,5})?/gi`]:
    'linear: at most fifteen groups from each place; and masks 4,000 characters',
  [String.raw`/^(?:\S*\/)?(?:npm|npx|(?:bun|bun\.exe) (?:run )?(?:start|demo|dev))\b|^(?:\S*\/)?node(?:js)? \S*\/(?:npm|npx)(?:-cli\.js)?\b/`]:
    'the command line of the process that started the gateway',
  [String.raw`/;[ \t]*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))[ \t]*(?:;|$)/i`]:
    'linear: looks at 70 characters behind each name',
  [String.raw`/^\/v1(?:beta1?|alpha)?\/(?:(?:projects\/[^/]+\/locations\/[^/]+\/)?publishers\/[^/]+\/)?models\/(.+):([A-Za-z]+)$/`]:
    'linear: the letters behind each colon are tried once',
}

/** Files that build patterns at run time, each with the reason why those are linear or what bounds their texts. */
export const builtAtRunTime: Readonly<Record<string, string>> = {
  'console/src/components/texts/limit-markdown.ts': 'begin at line starts, and no character can be matched in two ways',
  'console/src/features/redemption-codes/redemption-code-form.ts': 'a class of characters, anchored',
  'gateway/src/console-api/redemption-codes/code-rules.ts': 'a class of characters, anchored',
  'gateway/src/platform/text/mask.ts': 'masks 4,000 characters',
  'gateway/src/tasks/bucket/bucket-failure.ts': 'a tag and text without tags',
}
