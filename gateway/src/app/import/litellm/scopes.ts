import { readTable, type ReadableTable } from '../source/read-table'
import { Budget, Organization, Project } from './tables'

/** What limits the keys within it together: an organization, or a project of a team. */
export interface Scope {
  readonly kind: 'organization' | 'project'
  /** Null: there is no such limit. */
  readonly budget: Budget | null
  readonly spend: number
  /** Empty: any. */
  readonly models: readonly string[]
  readonly isBlocked: boolean
}

export interface Scopes {
  readonly organizations: ReadonlyMap<string, Scope>
  readonly projects: ReadonlyMap<string, Scope>
}

type Budgets = ReadonlyMap<string, Budget>

export async function readBudgets(source: ReadableTable): Promise<Budgets> {
  const budgets = new Map<string, Budget>()
  for await (const rows of readTable(source, { table: 'LiteLLM_BudgetTable', key: 'budget_id', schema: Budget }))
    for (const row of rows) budgets.set(row.budget_id, row)
  return budgets
}

/** Resolves with the organizations and projects by their ids. There are few. */
export async function readScopes(source: ReadableTable | null, budgets: Budgets): Promise<Scopes> {
  const organizations = new Map<string, Scope>()
  const projects = new Map<string, Scope>()
  if (!source) return { organizations, projects }
  const table = { table: 'LiteLLM_OrganizationTable', key: 'organization_id', schema: Organization } as const
  for await (const rows of readTable(source, table))
    for (const row of rows) organizations.set(row.organization_id, scopeOf('organization', row, budgets))
  for await (const rows of readTable(source, { table: 'LiteLLM_ProjectTable', key: 'project_id', schema: Project }))
    for (const row of rows) projects.set(row.project_id, scopeOf('project', row, budgets))
  return { organizations, projects }
}

const scopeOf = (kind: Scope['kind'], row: Omit<Organization, 'organization_id'>, budgets: Budgets): Scope => ({
  kind,
  budget: budgets.get(row.budget_id) ?? null,
  spend: row.spend ?? 0,
  models: row.models,
  isBlocked: row.blocked,
})
