/*
 * A disk that keeps nothing but what was synced. Notes, in order: each sync of a file in CUT_FOLDER with a copy of its content, and each
 * sync of the folder itself with the names in it. To be loaded with LD_PRELOAD.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int count = 0;

static int opened(const char *name, int flags) {
  char path[4200];
  snprintf(path, sizeof path, "%s/%s", getenv("CUT_NOTES"), name);
  return open(path, O_WRONLY | O_CREAT | flags, 0600);
}

static void put(int to, const void *bytes, size_t length) {
  if (write(to, bytes, length) != (ssize_t)length) abort();
}

static void note(const char *kind, const char *name) {
  char line[4400];
  int length = snprintf(line, sizeof line, "%s %d %s\n", kind, count, name);
  int log = opened("log", O_APPEND);
  put(log, line, length);
  close(log);
}

static void note_folder(const char *path) {
  DIR *folder = opendir(path);
  if (folder == NULL) abort();
  for (struct dirent *entry; (entry = readdir(folder)) != NULL;) note("name", entry->d_name);
  closedir(folder);
  note("names", ".");
}

/* Read by its own descriptor: closing another one would give up SQLite's locks. */
static void note_file(int fd, const char *name) {
  char copy[32], bytes[65536];
  snprintf(copy, sizeof copy, "%d", count);
  int to = opened(copy, O_TRUNC);
  off_t at = 0;
  for (ssize_t got; (got = pread(fd, bytes, sizeof bytes, at)) > 0; at += got) put(to, bytes, got);
  close(to);
  note("file", name);
}

static int after(int result, int fd) {
  const char *folder = getenv("CUT_FOLDER");
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (result != 0 || folder == NULL || length < 0) return result;
  path[length] = 0;
  size_t prefix = strlen(folder);
  if (strncmp(path, folder, prefix) != 0) return result;
  count += 1;
  if (path[prefix] == 0) note_folder(path);
  else if (path[prefix] == '/') note_file(fd, path + prefix + 1);
  return result;
}

int fsync(int fd) { return after(((int (*)(int))dlsym(RTLD_NEXT, "fsync"))(fd), fd); }
int fdatasync(int fd) { return after(((int (*)(int))dlsym(RTLD_NEXT, "fdatasync"))(fd), fd); }
