/**
 * Returns the package.json of the built files, which are a package as well: that of the workspace, whose package has them in
 * the folder `dist`.
 */
export function packageManifest(workspace: string): object {
  const { scripts, files, ...manifest } = JSON.parse(workspace.replaceAll('"./dist/', '"./')) as Record<
    string,
    unknown
  >;
  return manifest;
}
