const without = ['/', '/home', '/setup']

/** The pages that stand alone: home, set-up, an embedded chat. */
export const hasSideMenu = (pathname: string): boolean => !without.includes(pathname) && !/^\/chat(\/|$)/.test(pathname)
