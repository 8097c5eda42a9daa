import { expect, test } from 'bun:test'

const program = `import { standardOutput } from '${import.meta.dir}/standard-output'
  for (let line = 0; line < 2000; line += 1) standardOutput.stdout.write(\`\${line} \${'x'.repeat(200)}\\n\`)
  standardOutput.stderr.write(standardOutput.stdout.isTTY ? 'a terminal' : 'no terminal')`

test('lines that fill a pipe arrive whole and in order', async () => {
  const child = Bun.spawn([process.execPath, '-e', program], { stdout: 'pipe', stderr: 'pipe' })
  const [lines, errors] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  expect(lines.trimEnd().split('\n').map(Number.parseFloat)).toEqual(Array.from({ length: 2000 }, (_, line) => line))
  expect(errors).toBe('no terminal')
})

test('a log whose reader has gone does not stop the program', async () => {
  const child = Bun.spawn(['sh', '-c', `'${process.execPath}' -e "$PROGRAM" | true`], {
    env: { ...process.env, PROGRAM: program },
    stderr: 'pipe',
  })
  expect(await new Response(child.stderr).text()).toBe('no terminal')
  expect(await child.exited).toBe(0)
})
