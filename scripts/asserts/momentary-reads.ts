const momentaryRead =
  /\bexpect\([^\n]*\bawait [^\n]*\.(?:count|textContent|innerText|inputValue|isVisible|isHidden|isEnabled|isDisabled|isChecked|allTextContents|allInnerTexts|getAttribute)\(/

/** Returns where a test of the browser asserts what a page shows at one moment, perhaps before it has come: `becomes` waits for it. */
export const momentaryReads = (text: string): { line: number; text: string }[] =>
  text.split('\n').flatMap((line, index) => (momentaryRead.test(line) ? [{ line: index + 1, text: line.trim() }] : []))
