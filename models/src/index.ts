export { catalogedModels, limitsOf, modelOf } from './model-catalog'
export {
  abilities,
  modalities,
  modelKinds,
  writeEntry,
  type Ability,
  type Modality,
  type ModelEntry,
  type ModelKind,
  type ModelLimits,
} from './model-entry'
export { modelKey, modelKeys } from './model-key'
