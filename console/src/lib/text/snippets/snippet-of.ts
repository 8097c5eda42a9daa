import { requestOf, type SnippetCall } from './snippet-request'
import { nodeWriters, pythonWriters } from './sdk-writers'
import { goQuoted, json, shellQuoted } from './quoting'
import type { SnippetLanguage } from './snippet-languages'

/** Returns a program that makes the call: with the official SDK in Python and Node, otherwise over plain HTTP. */
export const snippetOf = (language: SnippetLanguage, call: SnippetCall): string => writers[language](call)

const writers: Record<SnippetLanguage, (call: SnippetCall) => string> = {
  curl(call) {
    const { url, headers, body } = requestOf(call)
    const lines = Object.entries(headers).map(([name, value]) => `  -H ${shellQuoted(`${name}: ${value}`)} \\`)
    return [`curl ${url} \\`, ...lines, `  -d ${shellQuoted(json(body, 2))}`].join('\n')
  },

  python: (call) => pythonWriters[call.dialect ?? 'openai'](call),

  node: (call) => nodeWriters[call.dialect ?? 'openai'](call),

  go(call) {
    const { url, headers, body } = requestOf(call)
    const lines = Object.entries(headers).map(
      ([name, value]) => `	request.Header.Set(${JSON.stringify(name)}, ${JSON.stringify(value)})`,
    )
    return `package main

import (
	"fmt"
	"io"
	"net/http"
	"strings"
)

func main() {
	body := ${goQuoted(json(body))}
	request, _ := http.NewRequest("POST", ${JSON.stringify(url)}, strings.NewReader(body))
${lines.join('\n')}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		panic(err)
	}
	defer response.Body.Close()
	text, _ := io.ReadAll(response.Body)
	fmt.Println(string(text))
}`
  },
}
