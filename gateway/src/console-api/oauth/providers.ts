import type { RedirectProvider } from '@tollgate/contract'

import { github } from './github'
import { linuxdo } from './linuxdo'
import { oidc } from './oidc'
import type { RedirectSignIn } from './redirect-sign-in'

export const redirectSignIns: Readonly<Record<RedirectProvider, RedirectSignIn>> = { github, oidc, linuxdo }
