import * as z from 'zod'

import { route } from '../http/route'

/** HTML, Markdown, or one https address that is shown as a page of its own. Empty: the console has its own. */
const SiteText = z.string()

export const homePageContent = route({
  method: 'GET',
  path: '/api/home_page_content',
  access: 'guest',
  summary: 'The operator’s home page',
  data: SiteText,
})

export const about = route({
  method: 'GET',
  path: '/api/about',
  access: 'guest',
  summary: 'The operator’s text about the site',
  data: SiteText,
})

export const notice = route({
  method: 'GET',
  path: '/api/notice',
  access: 'guest',
  summary: 'The operator’s announcement',
  data: SiteText,
})
