/** The file at a repository's root that makes it a koryph project. */
export const PROJECT_FILE = "koryph.project.json";
