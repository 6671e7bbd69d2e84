/** A step of a landing, for whoever watches. */
export type LandProgress =
  | { readonly kind: "rebased"; readonly onto: string; readonly head: string }
  | { readonly kind: "gate"; readonly head: string }
  | { readonly kind: "pushing"; readonly head: string };
