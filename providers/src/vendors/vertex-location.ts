import { isObject } from '@tollgate/dialects'

import type { Target } from '../provider'
import { nameInPath } from '../urls'
import { projectOf } from './vertex-auth'

const anywhere = 'global'
const regionName = /^[a-z]+(?:-[a-z]+\d+)?$/

/** The region of a model: the field holds one for all, or JSON as `{"default": "us-central1", "a-model": "europe-west1"}`. */
export function regionOf({ other, model }: Pick<Target, 'other' | 'model'>, name = model): string {
  const text = other.trim()
  const region = text.startsWith('{') ? fromMap(text, model, name) : text
  return regionName.test(region) ? region : anywhere
}

function fromMap(text: string, ...names: readonly string[]): string {
  try {
    const map: unknown = JSON.parse(text)
    if (!isObject(map)) return ''
    const region = [...names, 'default'].map((name) => map[name]).find((value) => typeof value === 'string')
    return typeof region === 'string' ? region.trim() : ''
  } catch {
    return ''
  }
}

type VertexTarget = Pick<Target, 'baseUrl' | 'key' | 'other' | 'model'>

/** `{address}/{version}/projects/{project}/locations/{region}`. `{region}-` in an address stands for the region's host. */
export function locationUrlOf(target: VertexTarget, version: string, name: string): string {
  const region = regionOf(target, name)
  const project = nameInPath(projectOf(target))
  return `${hostOf(target.baseUrl, region)}/${version}/projects/${project}/locations/${region}`
}

/** https://cloud.google.com/vertex-ai/generative-ai/docs/learn/locations */
function hostOf(baseUrl: string, region: string): string {
  if (region === anywhere) return baseUrl.replace('{region}-', '')
  // Several regions as one have another form of host.
  if (region === 'us' || region === 'eu')
    return baseUrl.replace('{region}-aiplatform.googleapis', `aiplatform.${region}.rep.googleapis`)
  return baseUrl.replace('{region}', region)
}
