import { z } from 'zod'

import { flag, int, object, seconds, text, trimmed, value } from '../source/values'

/*
 * Tables of LiteLLM: https://github.com/BerriAI/litellm/blob/main/schema.prisma
 */

const dollars = value.transform((stored) => (stored === null || stored === '' ? null : Number(stored)))
const list = value.transform((stored): readonly string[] => List.safeParse(stored).data ?? [])
const List = z.array(z.string())

/** What users, teams, keys and members are limited to; a budget without a duration never begins anew. */
const limits = {
  max_budget: dollars,
  /** As `30d`. */
  budget_duration: trimmed,
  tpm_limit: int,
  rpm_limit: int,
  max_parallel_requests: int,
}

export const User = z.object({
  ...limits,
  user_id: text,
  user_alias: trimmed,
  user_email: trimmed,
  spend: dollars,
  created_at: seconds,
})
export type User = z.output<typeof User>

export const Team = z.object({
  ...limits,
  team_id: text,
  team_alias: trimmed,
  organization_id: text,
  spend: dollars,
  models: list,
  members_with_roles: value,
  blocked: flag,
  created_at: seconds,
})
export type Team = z.output<typeof Team>

export const Key = z.object({
  ...limits,
  token: text,
  key_name: trimmed,
  key_alias: trimmed,
  spend: dollars,
  expires: seconds,
  models: list,
  user_id: text,
  team_id: text,
  organization_id: text,
  project_id: text,
  budget_id: text,
  blocked: flag,
  created_at: seconds,
  metadata: object,
})
export type Key = z.output<typeof Key>

export const Budget = z.object({ ...limits, budget_id: text })
export type Budget = z.output<typeof Budget>

/** The key of the table is both ids. */
export const Membership = z.object({ user_id: text, team_id: text, spend: dollars, budget_id: text })
export type Membership = z.output<typeof Membership>

const scope = { budget_id: text, models: list, spend: dollars, blocked: flag }

export const Organization = z.object({ ...scope, organization_id: text })
export type Organization = z.output<typeof Organization>

export const Project = z.object({ ...scope, project_id: text })
