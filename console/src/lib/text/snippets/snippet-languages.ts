/** The languages of example calls. */
export const snippetLanguages = ['curl', 'python', 'node', 'go'] as const
export type SnippetLanguage = (typeof snippetLanguages)[number]

export const snippetLabels = {
  curl: 'curl',
  python: 'Python',
  node: 'Node',
  go: 'Go',
} as const satisfies Record<SnippetLanguage, string>

/** The syntax by which each is highlighted. */
export const snippetSyntax = {
  curl: 'bash',
  python: 'python',
  node: 'typescript',
  go: 'go',
} as const satisfies Record<SnippetLanguage, string>
