import { Glob } from 'bun'

/*
 * There is one way to wait in the gateway: `Timers`, which comes with the context, so that a test decides when time passes. There is one
 * clock, with seconds of its own.
 *
 *   gateway/src/platform/time/clock.ts     the system's clock, and `createClock`
 *   gateway/src/platform/time/timers.ts    the runtime's timers, and nothing else uses them
 *   `systemTimers`                         where there is no context: processes, a command that calls the bucket, and the driver of a local database
 *   gateway/test/fake-time.ts              the clocks of tests
 */
interface Rule {
  readonly files: string
  readonly pattern: RegExp
  readonly instead: string
  readonly except: RegExp
}

const rules: readonly Rule[] = [
  {
    files: 'gateway/src/**/*.ts',
    pattern: /\b(?:setTimeout|setInterval|setImmediate|Bun\.sleep)\(|from '(?:node:)?timers(?:\/promises)?'/,
    instead: 'the timers of the context, or `nextTurn`',
    except: /\.test\.ts$|^gateway\/src\/platform\/time\/timers\.ts$/,
  },
  {
    files: 'gateway/src/**/*.ts',
    pattern: /\bsystemTimers\b/,
    instead: 'the timers of the context',
    except:
      /\.test\.ts$|^gateway\/src\/(?:platform\/time\/timers|app\/process\/[\w-]+|app\/commands\/export-logs|platform\/store\/(?:sqlite-dialect|sqlite-thread|checkpoints))\.ts$/,
  },
  {
    files: 'gateway/{src,test}/**/*.ts',
    pattern: /\bnow\(\) \/ 1000\b/,
    instead: 'the seconds of the clock',
    except: /^gateway\/(?:src\/platform\/time\/clock|test\/fake-time)\.ts$/,
  },
  {
    files: '{gateway/src,console/src,contract/src}/**/*.{ts,tsx}',
    pattern: /\bconst (?:minute|hour|day)(?:Seconds|Ms) = /,
    instead: 'that of the contract',
    except: /^contract\/src\/time-units\.ts$|\/migrations\//,
  },
  {
    files: 'gateway/{src,test}/**/*.ts',
    pattern: /\bmonotonic: \(\) => performance\.now\(\)|\buseFakeTimers\(/,
    instead: '`FakeTime` or `WallClock` of gateway/test/fake-time.ts',
    except: /^gateway\/test\/fake-time\.ts$/,
  },
]

const faults: string[] = []
for (const { files, pattern, instead, except } of rules) {
  for (const path of new Glob(files).scanSync('.')) {
    if (except.test(path)) continue
    for (const [index, line] of (await Bun.file(path).text()).split('\n').entries()) {
      const [found] = pattern.exec(line) ?? []
      if (found !== undefined) faults.push(`${path}:${index + 1}: ${found}: use ${instead}`)
    }
  }
}

if (faults.length > 0) {
  console.error(faults.join('\n'))
  process.exit(1)
}
