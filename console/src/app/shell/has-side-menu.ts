const without = ['/', '/home', '/setup']

/** All but the pages that stand alone: home, set-up, an embedded chat. Guests have nothing to choose from anywhere. */
export const hasSideMenu = (pathname: string): boolean => !without.includes(pathname) && !/^\/chat(\/|$)/.test(pathname)
