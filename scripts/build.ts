import { $ } from 'bun'

/** One executable with everything inside, that starts from an empty folder: dist/tollgate. */
await $`bun build --compile --minify-syntax gateway/src/main.ts --outfile dist/tollgate`
