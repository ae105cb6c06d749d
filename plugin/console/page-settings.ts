/** What the page says to its script, as JSON in the attribute `content` of the element `<meta name="settings">`. */
export interface PageSettings {
  /** Path of the API, with `/v1`. */
  readonly api: string
  /** Path of the console, without a slash at the end. */
  readonly home: string
  /** Prefix of the headers of the API. */
  readonly prefix: string
  readonly brand: { readonly name: string; readonly logo?: string; readonly color?: string }
  readonly signIn: { readonly password: boolean; readonly host: boolean }
  /** True if people make OAuth clients here. */
  readonly oauth: boolean
  /** Languages with the URL of their texts. */
  readonly languages: readonly { readonly id: string; readonly label: string; readonly texts: string }[]
  /** Pages of the host. */
  readonly pages: readonly {
    /** `/fleet-map`. */
    readonly path: string
    /** By language, or the same for all. */
    readonly title: string | { readonly [language: string]: string }
    /** URL of its module. */
    readonly script: string
    /** It is linked for people with one of these roles alone. */
    readonly roles?: readonly string[]
  }[]
}
