import { bearer } from '../auth'
import { baseUrlField, keyFormat } from '../fields'
import { defineProvider } from '../provider'
import { sunoTasks } from './suno-tasks'

/** Services that sing for Suno's subscribers: https://github.com/Suno-API/Suno-API */
export const suno = defineProvider({
  type: 36,
  id: 'suno',
  name: { en: 'Suno API', zh: '音乐：Suno API' },
  baseUrl: null,
  auth: bearer(),
  billsAbandoned: 'all',
  key: keyFormat('sk-…'),
  modes: {},
  tasks: { suno: sunoTasks },
  fields: [
    baseUrlField('https://suno.example.com', {
      hint: { en: 'The address before /suno', zh: '/suno 之前的地址' },
    }),
  ],
  models: ['suno_music', 'suno_lyrics'],
})
