export { default as common } from '../../locales/zh/common.json'
export { default as shell } from '../../locales/zh/shell.json'
